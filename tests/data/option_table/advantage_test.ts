import assert from "node:assert/strict";
import { ADVANTAGE_OPTIONS } from "../../../data/option_table/advantage.ts";
import { ROLLOUT_OPTIONS } from "../../../data/option_table/rollout.ts";
import { UPDATE_OPTIONS } from "../../../data/option_table/update.ts";

Deno.test("ADVANTAGE_OPTIONS shares no option with the other tables, and each has a sentence", () => {
  for (const [name, { about, names }] of Object.entries(ADVANTAGE_OPTIONS)) {
    assert(!Object.hasOwn(ROLLOUT_OPTIONS, name) && !Object.hasOwn(UPDATE_OPTIONS, name), name);
    assert(about.length > 5 && Object.values(names).some((list) => list.length > 0), name);
  }
});
