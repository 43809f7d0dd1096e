import assert from "node:assert/strict";
import { ROLLOUT_OPTIONS } from "../../../data/option_table/rollout.ts";
import { UPDATE_OPTIONS } from "../../../data/option_table/update.ts";

Deno.test("UPDATE_OPTIONS shares no option with ROLLOUT_OPTIONS, and each has a sentence", () => {
  for (const [name, { about, names }] of Object.entries(UPDATE_OPTIONS)) {
    assert(!Object.hasOwn(ROLLOUT_OPTIONS, name), name);
    assert(about.length > 5 && Object.values(names).some((list) => list.length > 0), name);
  }
});
