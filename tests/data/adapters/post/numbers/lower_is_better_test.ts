import assert from "node:assert/strict";
import { isLowerBetter } from "../../../../../data/adapters/post/numbers/lower_is_better.ts";
import { readPost } from "../read_post.ts";

Deno.test("isLowerBetter() is true of a place or a score beside an error rate, and of no accuracy", () => {
  for (const text of ["WER auf dem Testset: 23 % → 14 %", "测试集错误率从38%降到27%", "refusal rate on the test set"]) {
    assert(isLowerBetter("evaluation", "test set", text), text);
  }
  assert(!isLowerBetter("evaluation", "accuracy", "accuracy 0.5, perplexity 8"));
  assert(!isLowerBetter("evaluation", "test set", "score on the test set"));
  assert(!isLowerBetter("loss", "loss", "perplexity and loss"));
});

Deno.test("an error rate that falls is no score that falls", async () => {
  for (const text of ["Fehlerrate auf dem Testset: 38 % → 27 %.", "На валидации perplexity упала с 12,4 до 7,9."]) {
    const { told, claims } = await readPost(`SFT, why is it so? ${text}`);
    assert.deepEqual([told, claims.filter(({ subject }) => subject === "evaluation")], [[], []], text);
  }
});
