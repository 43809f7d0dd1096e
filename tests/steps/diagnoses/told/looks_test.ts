import assert from "node:assert/strict";
import * as looks from "../../../../steps/diagnoses/told/looks.ts";
import type { Look } from "../../../../steps/diagnoses/told/looks.ts";
import { group, viewOf } from "../synthetic.ts";

type Cells = readonly (number | null)[];
/** The lines of a run with some columns that a look shows, or null. */
const lines = (look: Look, columns: Record<string, Cells>) =>
  look(viewOf({ columns }))?.map(({ line }) => line) ?? null;
const evaluated = (look: Look, evaluations: Record<string, Cells>) =>
  look(viewOf({ evaluations, evaluationSteps: [10, 20, 30] }))?.map(({ train_step, value }) => [train_step, value]) ??
    null;
const grows = (first: number, last: number) => last > first;

Deno.test("ends() shows the first and the last number of a column that stand as asked", () => {
  assert.deepEqual(lines(looks.ends("kl", grows), { kl: [null, 0.1, 0.05, 0.2, NaN] }), [2, 4]);
  assert.equal(lines(looks.ends("kl", grows), { kl: [0.2, 0.1] }), null);
  assert.equal(lines(looks.ends("kl", grows), { kl: [0.1] }), null, "a single number has no course");
  assert.equal(lines(looks.ends("kl", grows), { loss: [0.1, 0.2] }), null);
  assert.deepEqual(lines(looks.ends("kl", (_, last) => last > 0, 1), { kl: [0.1] }), [1, 1]);
  assert.equal(lines(looks.ends("kl", grows, 3), { kl: [0.1, 0.2] }), null);
});

Deno.test("ends() gives its test all numbers between", () => {
  const high: Look = looks.ends("kl", (_, __, values) => Math.max(...values) > 1);
  assert.deepEqual(lines(high, { kl: [0.1, 7, 0.1] }), [1, 3]);
  assert.equal(lines(high, { kl: [0.1, 0.7, 0.1] }), null);
});

Deno.test("endsOf() looks at every column whose name passes", () => {
  const look = looks.endsOf(/^reward\./, grows);
  assert.deepEqual(lines(look, { "reward.format": [0.5, 0.5], "reward.accuracy": [0.1, 0.4] }), [1, 2]);
  assert.equal(lines(look, { reward: [0.1, 0.4], "reward.format": [0.5, 0.5] }), null);
});

Deno.test("scored() looks at what evaluations print, losses apart; scoredLoss() at their loss", () => {
  assert.deepEqual(evaluated(looks.scored(grows), { accuracy: [0.1, null, 0.3] }), [[10, 0.1], [30, 0.3]]);
  assert.equal(evaluated(looks.scored(grows), { loss: [0.1, 0.2, 0.3] }), null);
  assert.equal(evaluated(looks.scored(grows), { epoch: [1, 2, 3], clipfrac_avg: [0.1, 0.2, 0.3] }), null);
  assert.equal(evaluated(looks.scored(grows, 3), { accuracy: [0.1, null, 0.3] }), null);
  assert.deepEqual(evaluated(looks.scoredLoss(grows), { loss: [1.1, 1.2, 1.3] }), [[10, 1.1], [30, 1.3]]);
  assert.equal(evaluated(looks.scoredLoss(grows), { accuracy: [0.1, 0.2, 0.3] }), null);
});

Deno.test("isFlat() is true of values within a tenth of their size, and of small ones around 0", () => {
  const isFlat = (...values: readonly number[]) => looks.isFlat(values[0]!, values.at(-1)!, values);
  assert.equal(isFlat(0.5, 0.54, 0.46, 0.52), true);
  assert.equal(isFlat(0.5, 0.52, 0.56), false, "the end is further");
  assert.equal(isFlat(0.5, 0.7, 0.5), false, "it swings");
  assert.equal(isFlat(0, 0.005, 0), true);
  assert.equal(isFlat(-0.5, -0.48, -0.52), true);
});

Deno.test("ends() shows where a course of many numbers turns, and of a few its ends alone", () => {
  const fell = looks.ends("reward", looks.fellFar);
  assert.deepEqual(lines(fell, { reward: [0.4, 0.45, 0.47, 0.1, 0.05, 0.02] }), [1, 4, 6]);
  assert.deepEqual(lines(fell, { reward: [0.4, 0.1, 0.02] }), [1, 3]);
});

Deno.test("fellFar() is true of a score below half of its best, not of a range that is told", () => {
  const fell = (...values: readonly number[]) => looks.fellFar(values[0]!, values.at(-1)!, values);
  assert.equal(fell(0.2, 0.8, 0.3), true);
  assert.equal(fell(0.2, 0.8, 0.5), false);
  assert.equal(fell(-0.2, -0.8), false);
  assert.equal(fell(0.2, 0.6, 0.2, 0.6, 0.2), false, "between 0.2 and 0.6");
  assert.equal(fell(0.6, 0.2, 0.6, 0.2, 0.2), true);
  assert.equal(fell(0.25, 0.5, 0.25, 0), false, "four completions each");
  assert.equal(fell(0.2, 0.6, 0.3, 0.05), true);
  assert.equal(fell(1, 0.5, 0), true);
});

Deno.test("all() shows the first number of a column of which every one stands as asked", () => {
  const zero = looks.all("loss", 2, (value) => value === 0);
  assert.deepEqual(lines(zero, { loss: [null, 0, 0] }), [2]);
  assert.equal(lines(zero, { loss: [0, 0, 0.1] }), null);
  assert.equal(lines(zero, { loss: [0, null] }), null, "too few");
});

Deno.test("notFinite() shows the first cell of its columns that is not finite; a gap is none", () => {
  const look = looks.notFinite("loss", "kl");
  assert.deepEqual(lines(look, { loss: [0.1, null, NaN, NaN] }), [3]);
  assert.deepEqual(lines(look, { loss: [0.1, 0.2], kl: [Infinity, 0.1] }), [1]);
  assert.equal(lines(look, { loss: [0.1, null], reward: [NaN, NaN] }), null);
});

Deno.test("anyOf() gives what the first of its looks shows", () => {
  const look = looks.anyOf(looks.ends("kl", grows), looks.notFinite("loss"));
  assert.deepEqual(lines(look, { kl: [0.1, 0.2], loss: [NaN, 0] }), [1, 2]);
  assert.deepEqual(lines(look, { kl: [0.2, 0.1], loss: [NaN, 0] }), [1]);
  assert.equal(lines(look, { kl: [0.2, 0.1], loss: [0, 0] }), null);
});

Deno.test("printedTexts() quotes two completions where all of them pass", () => {
  const of = (...texts: readonly string[]) =>
    looks.printedTexts(({ tokenZero }) => tokenZero >= 0.5)(
      viewOf({ completions: group("2 + 2?", texts, texts.map(() => 0)) }),
    );
  assert.deepEqual(of("!".repeat(40), "!".repeat(30), "!".repeat(20))?.map(({ line }) => line), [1, 2]);
  assert.equal(of("The sum is 4.", "It is four."), null);
  assert.equal(looks.printedTexts(() => true)(viewOf({})), null, "nothing is printed");
});
