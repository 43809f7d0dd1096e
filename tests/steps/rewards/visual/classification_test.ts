import assert from "node:assert/strict";
import { visualClassification } from "../../../../steps/rewards/visual/classification.ts";
import { rewardBatch } from "../batch.ts";

const score = (given: Record<string, unknown>, texts: string[], answer = "<answer>Egyptian_Mau</answer>") =>
  visualClassification.score(
    visualClassification.params.parse(given),
    rewardBatch(texts, { answers: texts.map(() => answer) }),
  );
const tagged = (text: string) => `<think>t</think><answer>${text}</answer>`;

Deno.test("visual/classification ignores case, spaces, underscores, and marks around the name", () => {
  for (const compat of [true, false]) {
    assert.deepEqual(score({ compat }, ["egyptian mau", "'Egyptian_Mau'.", "Boxer"].map(tagged)), [1, 1, 0]);
  }
  assert.deepEqual(score({}, ["Egyptian\u00a0Mau", "**Egyptian Mau**", tagged("\nEgyptian Mau\n")]), [1, 1, 1]);
  assert.deepEqual(score({}, ["Ｅgyptian mau", "Egyptian-Mau"]), [1, 0]);
});

Deno.test("visual/classification wants the whole name, in a closed answer", () => {
  const texts = ["", "e", "egyptian", "an Egyptian Mau", "Egyptian Mau, Boxer"].map(tagged);
  assert.deepEqual(score({}, texts), [0, 0, 0, 0, 0]);
  assert.deepEqual(score({ compat: true }, texts), [1, 1, 1, 1, 1]);
  assert.deepEqual(score({}, ["<answer>Egyptian Mau"]), [0]);
  assert.deepEqual(score({}, ["Boxer"], " "), [null], "no answer");
});

Deno.test("visual/classification knows aliases of the class in the answer, of no other", () => {
  const aliases = { "egyptian mau": ["mau", "Cat of Egypt"], Boxer: ["dog"] };
  assert.deepEqual(score({ aliases }, ["Mau", "cat of egypt", "dog", "Egyptian Mau"].map(tagged)), [1, 1, 0, 1]);
});
