import assert from "node:assert/strict";
import { quirk } from "../../../../steps/rewards/visual/quirk_param.ts";

Deno.test("quirk is off unless it is asked for", () => assert.equal(quirk.parse(undefined), false));
