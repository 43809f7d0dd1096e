import assert from "node:assert/strict";
import { numbersIn } from "../../../../data/adapters/post/numbers/numbers.ts";
import { holdsThroughout, spanOf } from "../../../../data/adapters/post/span.ts";

const span = (text: string, sentence = text) =>
  spanOf(
    { text, sentence, whole: sentence, line: 1, isQuestion: false, isFirst: true, isApart: false },
    numbersIn(text),
  );

const SPANS: readonly [text: string, from: number | null, to: number | null, throughout: boolean, atEnd: boolean][] = [
  ["the loss is 0 at step 40", 40, null, false, false],
  ["from step 40 on the loss is 0", 40, null, true, false],
  ["第 40 步之后 loss 是 0", 40, null, true, false],
  ["a partir de ahí, desde el paso 12", 12, null, true, false],
  ["the reward is flat until step 300", null, 300, false, false],
  ["it fell between step 30 and step 90", 30, null, false, false],
  ["reward 0 for the first 50 steps", 1, 50, false, false],
  ["zero over the last 20 steps", null, null, false, true],
  ["at the end the reward is 0.1", null, null, false, true],
  ["最后 20 步 reward 都是 0", null, null, true, true],
  ["the first logged loss is 0.69", 1, 1, false, false],
  ["the loss is 0.0 the whole time", null, null, true, false],
  ["after ~15 steps the loss is 0", 15, null, true, false],
  ["10个step后突然降至0", 10, null, true, false],
  ["even after 500 steps the reward is 0", null, 500, false, false],
  ["the reward is still 0 after 500 steps", null, 500, true, false],
  ["the reward is still 0 after 200 steps and still after 500 steps", null, 500, true, false],
  ["the reward is still 0 after 500 steps as after 200 steps", null, 500, true, false],
  ["accuracy starts dropping at ~300 steps", 300, null, false, false],
  ["准确率在300步左右开始下降", 300, null, false, false],
  ["I always get -5, across all the steps", null, null, true, false],
  ["the loss fell", null, null, false, false],
];

for (const [text, from, to, throughout, atEnd] of SPANS) {
  Deno.test(`spanOf() reads the train steps of "${text}"`, () => {
    const { reached: _, ...read } = span(text);
    assert.deepEqual(read, { from, to, throughout, ...(atEnd ? { atEnd: true as const } : {}) });
  });
}

Deno.test("spanOf() knows a time that was reached from one since when something holds", () => {
  for (
    const text of [
      "after ~15 steps the loss is 0",
      "nach 300 Schritten liegt der Reward bei 0,4",
      "300 步之后 reward 0.4",
    ]
  ) {
    assert.equal(span(text).reached, true, text);
  }
  for (const text of ["from step 40 on the loss is 0", "the reward is still 0.3 after 500 steps", "at step 40"]) {
    assert.equal(span(text).reached, undefined, text);
  }
});

Deno.test("a clause that names no train step takes those of its sentence", () => {
  assert.deepEqual(span("the reward drops", "after step 60, the reward drops"), {
    from: 60,
    to: null,
    throughout: true,
  });
  assert.deepEqual(span("the reward drops at step 9", "after step 60, the reward drops at step 9").from, 9);
});

Deno.test("holdsThroughout() is true of a sentence that speaks of the whole run", () => {
  for (const text of ["It stays 0 for the entire run", "从头到尾 loss 都是 0", "dès le début"]) {
    assert(holdsThroughout(text), text);
  }
  for (const text of ["It was 0 at step 3", "the loss fell"]) assert(!holdsThroughout(text), text);
});
