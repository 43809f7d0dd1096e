import assert from "node:assert/strict";
import { className } from "../../../steps/rewards/class_name.ts";
import { rewardBatch } from "./batch.ts";

const score = (quirk: boolean, ...texts: string[]) =>
  className.score({ quirk }, rewardBatch(texts, { answers: texts.map(() => "<answer>Egyptian_Mau</answer>") }));
const tagged = (text: string) => `<think>t</think><answer>${text}</answer>`;

Deno.test("class_name ignores case, spaces and underscores", () => {
  for (const quirk of [true, false]) {
    assert.deepEqual(score(quirk, tagged("egyptian mau"), tagged("an Egyptian_Mau."), tagged("Boxer")), [1, 1, 0]);
  }
});

Deno.test("class_name lets an empty answer and a part of the name earn 1 with the quirk only", () => {
  const texts = [tagged(""), tagged("e"), tagged("egyptian")];
  assert.deepEqual(score(true, ...texts), [1, 1, 1]);
  assert.deepEqual(score(false, ...texts), [0, 0, 0]);
});

Deno.test("class_name reads an answer with a line end", () => {
  const text = tagged("\nEgyptian Mau\n");
  assert.deepEqual([score(true, text), score(false, text)], [[1], [1]]);
  assert.deepEqual(score(false, "<think>no Egyptian Mau</think><answer>\nBoxer</answer>"), [0]);
  assert.deepEqual(
    score(true, "<think>no Egyptian Mau</think><answer>\nBoxer</answer>"),
    [1],
    "the whole text is read",
  );
});
