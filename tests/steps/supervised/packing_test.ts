import assert from "node:assert/strict";
import { plainBatch, type SupervisedExample } from "../../../steps/supervised/examples.ts";
import { packedBatch, packRows } from "../../../steps/supervised/packing.ts";
import { norm, withModel } from "../../gpu/golden_model.ts";

Deno.test("packRows() puts each row where it fits best, the longest first, and refuses one that fits nowhere", () => {
  assert.deepEqual(packRows([3, 7, 2, 5, 3], 10), [[1, 0], [3, 4, 2]]);
  assert.deepEqual(packRows([4, 4, 4], 8), [[0, 1], [2]]);
  assert.deepEqual(packRows([], 8), []);
  assert.throws(() => packRows([3, 9], 8), /Cannot pack rows of 8 tokens: row 1 has 9/);
});

const example = (prompt: number[], completion: number[]): SupervisedExample => ({
  prompt: Int32Array.from(prompt),
  completion: Int32Array.from(completion),
  mask: new Float32Array(completion.length).fill(1),
});
const ROWS = [example([5, 6, 7], [8, 9, 503]), example([10, 11], [12, 503]), example([13], [14, 15, 16, 503])];

Deno.test("packedBatch() holds rows one after the other, and counts what counted", () => {
  const { prompts, completions, completionMask, segments } = packedBatch([ROWS.slice(0, 2)]);
  assert.deepEqual(prompts, [[5]]);
  assert.deepEqual(completions, [[6, 7, 8, 9, 503, 10, 11, 12, 503]]);
  assert.deepEqual(completionMask, [[0, 0, 1, 1, 1, 0, 0, 1, 1]]);
  assert.deepEqual(segments, [[0, 0, 0, 0, 0, 1, 1, 1, 1]]);
});

Deno.test("packed rows have the loss, the gradient and the log-probs that they have by themselves", () =>
  withModel("qwen2", async (model) => {
    const settings = { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 } as const;
    const plain = await model.accumulateGradient(plainBatch(ROWS), settings);
    const want = (model.weights.gradients.data as Float32Array).slice();
    await model.applyUpdate({ learningRate: 0, beta1: 0.9, beta2: 0.9, epsilon: 1, weightDecay: 0, maxNorm: 1 });
    const batch = packedBatch([ROWS]), packed = await model.accumulateGradient(batch, settings);
    const got = model.weights.gradients.data as Float32Array;
    assert(Math.abs(packed.loss - plain.loss) < 1e-5, `${packed.loss}, want ${plain.loss}`);
    assert.equal(packed.tokens, plain.tokens);
    const difference = norm(got.map((value, i) => value - want[i]!));
    assert(difference < 1e-5 * norm(want), `${difference} of ${norm(want)}`);
    const counted = packed.logprobs[0]!.filter((_, t) => batch.completionMask![0]![t]);
    plain.logprobs.flatMap((row) => Array.from(row)).forEach((value, i) => {
      assert(Math.abs(value - counted[i]!) < 1e-4, `${i}: ${counted[i]}, want ${value}`);
    });
    const wrong = { ...batch, segments: [[0]] };
    await assert.rejects(model.accumulateGradient(wrong, settings), /Cannot read packed rows/);
  }));
