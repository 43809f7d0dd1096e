import assert from "node:assert/strict";
import {
  LOG_BOUND,
  normalizedWeights,
  OUTSIDE,
  rawWeights,
  type SamplerWeights,
  samplerWeights,
} from "../../../steps/corrections/sampler_weights.ts";

const ln = Math.log;
const q = [[ln(0.5), ln(4), ln(9)], [ln(1.5), 0, 0]], mask = [[1, 1, 0], [1, 0, 0]];
const form: SamplerWeights = { level: "token", bounds: [0.8, 2], outside: "truncate", logBound: null };
const rounded = (rows: readonly Float64Array[]) => rows.map((row) => [...row].map((w) => Math.round(w * 1e9) / 1e9));

Deno.test("samplerWeights() per token: bounded, zero outside, or zero for a completion whose mean ratio is outside", () => {
  assert.deepEqual(rounded(samplerWeights(q, mask, form)), [[0.8, 2, 1], [1.5, 1, 1]]);
  assert.deepEqual(rounded(samplerWeights(q, mask, { ...form, outside: "mask" })), [[0, 0, 1], [1.5, 1, 1]]);
  // The geometric mean of 0.5 and 4 is √2: within the bounds, so weights stay as they are.
  assert.deepEqual(rounded(samplerWeights(q, mask, { ...form, outside: "mask_sequence" })), [[0.5, 4, 1], [1.5, 1, 1]]);
  const narrow = { ...form, bounds: [0.8, 1.42], outside: "mask_sequence" } as const;
  assert.deepEqual(rounded(samplerWeights(q, mask, narrow)), [[0.5, 4, 1], [0, 0, 0]]);
});

Deno.test("samplerWeights() per completion is the product of its ratios, the same for all its tokens", () => {
  const sequence = { ...form, level: "sequence", bounds: [null, null] } as const;
  assert.deepEqual(rounded(samplerWeights(q, mask, sequence)), [[2, 2, 2], [1.5, 1.5, 1.5]]);
  assert.deepEqual(rounded(samplerWeights(q, mask, { ...sequence, bounds: [null, 1.8], outside: "mask" })), [
    [0, 0, 0],
    [1.5, 1.5, 1.5],
  ]);
});

Deno.test("rawWeights() keeps the logarithm within its bound", () => {
  const far = [[500, -500]], both = [[1, 1]];
  assert.deepEqual([...rawWeights(far, both, { level: "token", logBound: LOG_BOUND })[0]!], [
    Math.exp(20),
    Math.exp(-20),
  ]);
  assert.equal(rawWeights([[500, 400]], both, { level: "token", logBound: null })[0]![0], Math.exp(500));
});

Deno.test("normalizedWeights() divides by the mean over tokens, or over completions that have one", () => {
  const weights = [[1, 3, 99], [2, 99, 99], [99, 99, 99]], counts = [[1, 1, 0], [1, 0, 0], [0, 0, 0]];
  assert(Math.abs(normalizedWeights(weights, counts, "token").factor - 2) < 1e-7);
  assert(Math.abs(normalizedWeights([[3, 3], [1, 1]], [[1, 1], [1, 0]], "sequence").factor - 2) < 1e-7);
  assert.equal(normalizedWeights([[0, 0]], [[1, 1]], "token").factor, 1);
});

Deno.test("each way with what is outside the bounds has its notes", () => {
  assert.deepEqual(Object.keys(OUTSIDE), ["truncate", "mask", "mask_sequence"]);
  for (const { formula, source } of Object.values(OUTSIDE)) assert(formula.length > 10 && source.length > 5);
});
