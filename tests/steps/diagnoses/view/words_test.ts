import assert from "node:assert/strict";
import { asSentence, columnName, scoreName } from "../../../../steps/diagnoses/view/words.ts";

Deno.test("scoreName() is of the split in a run of ours, of a log the printed name", () => {
  assert.equal(
    scoreName({ name: "correct (held_out, sampled)", split: "held_out", mode: "sampled" }),
    "the held-out score",
  );
  assert.equal(scoreName({ name: "correct (sampled)", split: null, mode: "sampled" }), "the score");
  assert.equal(scoreName({ name: "eval_accuracy", split: null, mode: null }), "eval_accuracy");
});

Deno.test("columnName() leaves a reward function its own name", () => {
  assert.deepEqual(["reward", "accuracy", "reward.style"].map(columnName), ["the reward", "the accuracy", "style"]);
});

Deno.test("asSentence() gives no name a capital", () => {
  assert.equal(asSentence("the score fell"), "The score fell");
  assert.equal(asSentence("eval_accuracy fell"), "eval_accuracy fell");
});
