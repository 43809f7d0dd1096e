/** Patches in the words of other systems. */
import assert from "node:assert/strict";
import { optionFor, optionsFor } from "../../../../steps/diagnoses/view/options.ts";
import { viewOf } from "../synthetic.ts";

Deno.test("optionFor() names the option and computes the value within its bounds", () => {
  const patch = { step: "sample_groups", key: "max_new_tokens", mul: 2, max: 400 };
  assert.equal(
    optionFor(patch, "trl", viewOf({ settings: { max_completion_length: 256 } })),
    "max_completion_length=400",
  );
  assert.equal(optionFor(patch, "trl", null), "max_completion_length=now x 2");
  assert.equal(
    optionFor({ step: "x", key: "temperature", set: 1 }, "verl", null),
    "actor_rollout_ref.rollout.temperature=1",
  );
  assert.equal(optionFor({ step: "x", key: "no_such_key", set: 1 }, "trl", null), null);
});

Deno.test("optionsFor() speaks the run's own system", () => {
  const lines = optionsFor([{ step: "sample_groups", key: "group_size", set: 8 }], viewOf({ system: "verl" }));
  assert.deepEqual(lines, ["verl: actor_rollout_ref.rollout.n=8"]);
});
