import assert from "node:assert/strict";
import { ROLLOUT_OPTIONS } from "../../../data/option_table/rollout.ts";

Deno.test("ROLLOUT_OPTIONS: every option has a sentence and TRL's or verl's name", () => {
  for (const [name, { about, names }] of Object.entries(ROLLOUT_OPTIONS)) {
    assert.match(name, /^[a-z0-9_]+$/);
    assert(about.length > 5 && Object.values(names).some((list) => list.length > 0), name);
  }
  assert.equal(ROLLOUT_OPTIONS.max_new_tokens.names.trl[0], "max_completion_length");
});
