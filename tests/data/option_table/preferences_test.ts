import assert from "node:assert/strict";
import { ADVANTAGE_OPTIONS } from "../../../data/option_table/advantage.ts";
import { PREFERENCE_OPTIONS } from "../../../data/option_table/preferences.ts";
import { ROLLOUT_OPTIONS } from "../../../data/option_table/rollout.ts";
import { UPDATE_OPTIONS } from "../../../data/option_table/update.ts";

Deno.test("PREFERENCE_OPTIONS shares no option with the other tables, and each has a sentence", () => {
  const others = { ...ROLLOUT_OPTIONS, ...UPDATE_OPTIONS, ...ADVANTAGE_OPTIONS };
  for (const [name, { about, names }] of Object.entries(PREFERENCE_OPTIONS)) {
    assert(!Object.hasOwn(others, name), name);
    assert(about.length > 5 && Object.values(names).some((list) => list.length > 0), name);
  }
});
