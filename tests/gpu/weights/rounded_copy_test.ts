/** A rounded copy of weights that train: the blocks are those that are written one by one, and samples follow each change. */
import assert from "node:assert/strict";
import { uniform } from "../../../data/random.ts";
import { LanguageModel } from "../../../gpu/language_model.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { MemoryBudget } from "../../../gpu/ort/memory_budget.ts";
import { layoutOf } from "../../../gpu/weights/layout.ts";
import { quantizedBytes, QuantizedMatrices } from "../../../gpu/weights/quantized.ts";
import { RoundedCopy } from "../../../gpu/weights/rounded_copy.ts";
import { Weights } from "../../../gpu/weights/weights.ts";
import { cpuRuntime } from "../golden_model.ts";
import { same } from "../../same.ts";
import { readJson, readModel } from "../safetensors.ts";

const CONFIG = modelConfig(readJson("models/qwen2/config.json"));
const MORE = { repeated: [], initializerRange: 0.02, initialNorm: 1 as const };
const PROMPTS = [[1, 2, 3, 4, 5], [9, 8, 7]].map((row) => Int32Array.from(row));
const OPTIONS = { topK: 0, topP: 1, minP: 0, repetitionPenalty: 1, maxNewTokens: 10, eosIds: [] };
const BITS = [8, 4] as const;

/** A block of each kind: ordinary, all 0, both ends alike, a large number among small ones, numbers below normal ones. */
function blocks(count: number): Float32Array {
  return Float32Array.from({ length: 32 * count }, (_, i) => {
    const u = uniform(1, "blocks", 0, 0, i) - 0.5, block = Math.floor(i / 32), place = i % 32;
    if (block % 5 === 1) return place % 2 ? 0 : -0;
    if (block % 5 === 2) return place === 3 ? 0.75 : place === 9 ? -0.75 : u;
    if (block % 5 === 3) return place === 30 ? 1e4 : u;
    return block % 5 === 4 ? u * 1e-41 : u;
  });
}

for (const bits of BITS) {
  Deno.test(`int${bits}: the copy has the bits that rounding one matrix after another has`, async () => {
    const runtime = await cpuRuntime();
    // The first is more than one piece of the graph's; rows of the last end within a block.
    const rows = [["w", ["a", [1700, 160]]], ["u", ["b", [5, 64]], ["c", [3, 64]]], ["v", ["d", [7, 48]]], ["z", ["e", [
      1100,
      256,
    ]]]] as const;
    const layout = layoutOf([...rows, ["norm", ["norm", [48]]]], MORE), original = new Weights(runtime, layout);
    const copy = new RoundedCopy(original, bits), plain = new QuantizedMatrices(runtime, layout, bits);
    try {
      for (const shift of [0, 7]) {
        const numbers = blocks(Math.ceil(layout.size / 32) + 1).subarray(shift, shift + layout.size);
        original.upload(numbers);
        for (const part of layout.parameters) {
          if (part.shape.length === 2) plain.write(part, numbers.subarray(part.offset, part.offset + part.size), 0);
        }
        assert.equal(copy.stale, true);
        await copy.refresh();
        assert.equal(copy.stale, false);
        const [got, want] = [copy.weights.quantized!, plain].map((matrices) => [...matrices.words()]);
        want!.forEach((words, i) => same(got![i]!, words));
        same(copy.weights.viewHuggingFace().get("norm")!.data, original.viewHuggingFace().get("norm")!.data);
      }
    } finally {
      plain.release();
      copy.release();
      original.release();
      runtime.release();
    }
  });

  Deno.test(`int${bits}: samples come from the rounded weights as they are now: after an update, and after an upload`, async () => {
    const runtime = await cpuRuntime(), model = LanguageModel.create(runtime, CONFIG);
    runtime.budget = new MemoryBudget(1 << 30);
    try {
      model.weights.fromHuggingFace(readModel("qwen2"));
      const free = runtime.budget.free;
      model.roundForSampling(bits);
      assert.equal(
        free - runtime.budget.free,
        quantizedBytes(model.weights.layout, bits),
        "the budget knows of the copy",
      );
      assert.equal(model.samplingBits, bits);
      const sample = async (model: LanguageModel) => {
        const uniforms = (row: number, token: number) => uniform(3, "draw", 0, row, token);
        const greedy = await model.sample(PROMPTS, 2, { ...OPTIONS, temperature: 0, uniforms });
        return [...greedy, ...await model.sample(PROMPTS, 2, { ...OPTIONS, temperature: 1, uniforms })];
      };
      const seen: string[] = [];
      const agree = async () => {
        const rounded = LanguageModel.create(runtime, CONFIG, bits);
        rounded.weights.fromHuggingFace(model.weights.viewHuggingFace());
        const [got, want] = [await sample(model), await sample(rounded)];
        rounded.release();
        assert.deepEqual(got, want);
        seen.push(JSON.stringify(got.map(({ tokenIds }) => [...tokenIds])));
        return got;
      };
      const before = model.weights.values.download(new Float32Array(model.weights.layout.size));
      const first = await agree(), completions = first.slice(4).map(({ tokenIds }) => tokenIds);
      const sequences = { prompts: PROMPTS, group: 2, completions }, { logprobs } = await model.logprobs(sequences);
      const gap = Math.max(
        ...logprobs.flatMap((row, r) => [...row].map((x, t) => Math.abs(x - first[4 + r]!.samplerLogprobs[t]!))),
      );
      assert(
        gap > 1e-4 && gap < (bits === 8 ? 1 : 10),
        `training computes with the weights themselves: the gap is ${gap}`,
      );
      await model.accumulateGradient({ ...sequences, inputs: { advantages: [1, -1, 1, -1] } }, {
        loss: {
          objective: "clipped",
          clipLow: 0.2,
          clipHigh: 0.2,
          ratioCap: null,
          ratioLevel: "token",
          kl: null,
          onPolicy: true,
        },
        aggregation: "rollout_token_mean",
        temperature: 1,
      });
      const adamw = { learningRate: 3e-2, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0, maxNorm: 1 };
      assert((await model.applyUpdate(adamw)).applied);
      await agree();
      model.weights.upload(before);
      await agree();
      assert.equal(seen[0], seen[2]);
      assert.notEqual(seen[0], seen[1]);
    } finally {
      model.release();
      runtime.release();
    }
  });
}
