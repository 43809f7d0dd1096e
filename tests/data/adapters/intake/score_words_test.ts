import assert from "node:assert/strict";
import { endingScore, isOtherTask, saysNoScore } from "../../../../data/adapters/intake/score_words.ts";

Deno.test("saysNoScore() knows what is to be small wherever it stands, a number of things at the end alone", () => {
  for (const name of ["loss", "error_rate", "toxicity/mean", "tokens_per_s", "samples_per_second", "gsm8k.runtime"]) {
    assert(saysNoScore(name), name);
  }
  for (const name of ["gsm8k", "multi_step_arithmetic", "time_series", "accuracy", "lossless"]) {
    assert(!saysNoScore(name), name);
  }
});

Deno.test("endingScore() is the words before a score; of what is to be small only a share of right answers is one", () => {
  assert.deepEqual(endingScore("held_out/exact_match"), { before: ["heldout"], isShare: true });
  assert.deepEqual(endingScore("true_acc_mean"), { before: ["true"], isShare: true });
  assert.deepEqual(endingScore("heldout_solve_rate"), { before: ["heldout"], isShare: false });
  assert.deepEqual(endingScore("toxicity_acc"), { before: ["toxicity"], isShare: true });
  for (const name of ["toxicity_score", "error_rate", "rate", "loss"]) assert.equal(endingScore(name), null, name);
});

Deno.test("isOtherTask() knows what a run is not trained on by the whole name of a set", () => {
  for (const name of ["general", "old_task", "previous-data", "pretraining"]) assert(isOtherTask(name), name);
  for (const name of ["base", "original", "generalisation", "old_norse", "gsm8k"]) assert(!isOtherTask(name), name);
});
