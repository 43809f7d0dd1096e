/** OpenRLHF's flags of before and after the sections. */
import assert from "node:assert/strict";
import { flagOfGeneration, isOlder, ofGeneration } from "../../../../steps/diagnoses/remedies/generation.ts";
import { optionLine } from "../../../../steps/diagnoses/remedies/options.ts";
import { viewOf } from "../synthetic.ts";

const older = viewOf({ system: "openrlhf", settings: { actor_learning_rate: 1e-6, init_kl_coef: 0.01 } });
const newer = viewOf({ system: "openrlhf", settings: { "actor.adam.lr": 1e-6 } });

Deno.test("isOlder() only of a run whose flags all are without a section", () => {
  assert.deepEqual([older, newer, viewOf({ system: "openrlhf" })].map(isOlder), [true, false, false]);
});

Deno.test("ofGeneration() leaves the flags of the run's own generation, and other systems alone", () => {
  const names = ["actor.eps_clip_low_high", "eps_clip_low_high"];
  assert.deepEqual(ofGeneration(names, "openrlhf", older), ["eps_clip_low_high"]);
  assert.deepEqual(ofGeneration(names, "openrlhf", newer), ["actor.eps_clip_low_high"]);
  assert.deepEqual(ofGeneration(names, "verl", older), names);
  const wider = { step: "apply_update", key: "clip_high", least: 0.28 } as const;
  assert.equal(optionLine(wider, "openrlhf", older), "--eps_clip_low_high 0.2 0.28");
  assert.equal(optionLine(wider, "openrlhf", newer), "--actor.eps_clip_low_high 0.2 0.28");
});

Deno.test("flagOfGeneration() names what a look prints so, too", () => {
  assert.equal(flagOfGeneration("eval.steps", "openrlhf", older), "eval_steps");
  assert.equal(flagOfGeneration("eval.steps", "openrlhf", newer), "eval.steps");
  assert.equal(flagOfGeneration("trainer.test_freq", "verl", older), "trainer.test_freq");
});
