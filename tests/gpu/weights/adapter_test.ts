import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { LanguageModel, type TrainBatch, type TrainSettings } from "../../../gpu/language_model.ts";
import { type ModelConfig, modelConfig } from "../../../gpu/models/config.ts";
import { forward, forwardInputs } from "../../../gpu/models/forward.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { ropeTables } from "../../../gpu/models/rope.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { adapterNames, adapterOf, type AdapterPlan } from "../../../gpu/weights/adapter.ts";
import { GraphWeights } from "../../../gpu/weights/graph_weights.ts";
import { same } from "../../same.ts";
import { cpuRuntime } from "../golden_model.ts";
import { doubles, type Fed, floats, runGraph } from "../run_graph.ts";
import { readJson, readModel } from "../safetensors.ts";

const CONFIG = modelConfig(readJson("models/qwen2/config.json")), LAYOUT = parameterLayout(CONFIG);
const BATCH: TrainBatch = {
  prompts: [[5, 6, 7], [8]],
  group: 2,
  completions: [[9, 10, 503], [11, 503], [12, 13, 14, 503], [15]],
};
const SETTINGS: TrainSettings = { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 };
const GREEDY = {
  temperature: 0,
  topK: 0,
  topP: 1,
  minP: 0,
  repetitionPenalty: 1,
  maxNewTokens: 5,
  eosIds: [],
  uniforms: () => 0,
};
const at = (layer: number, module: string) => `model.layers.${layer}.${module}.weight`;
const LINEAR = LAYOUT.parameters.filter(({ name }) => name.includes("_proj.weight")).map(({ name }) => name);

function plan(targets: readonly string[], more: Partial<AdapterPlan> = {}): AdapterPlan {
  const lora = { rank: 2, alpha: 3, rslora: false, scaling: 1.5, dropout: 0 };
  return { ...lora, targets: new Set(targets), saved: new Set(), ...more };
}

/** Matrices with a rank, alpha and factor of their own. */
const apart = (...rows: readonly (readonly [name: string, rank: number, alpha: number, scaling: number])[]) =>
  new Map(rows.map(([name, rank, alpha, scaling]) => [name, { rank, alpha, scaling }]));

/** A model with an adapter whose numbers are none of them 0, and one with the sum in its weights. */
async function both(
  { targets, ...more }: AdapterPlan,
  body: (adapted: LanguageModel, merged: LanguageModel) => Promise<void>,
): Promise<void> {
  const runtime = await cpuRuntime(), [base, merged] = [0, 1].map(() => LanguageModel.create(runtime, CONFIG));
  for (const model of [base!, merged!]) model.weights.fromHuggingFace(readModel("qwen2"));
  const adapted = LanguageModel.adapt(base!, { targets, ...more }, null), values = adapted.weights;
  values.values.upload(Float32Array.from({ length: values.layout.size }, (_, i) => 0.1 * Math.sin(i * 0.7 + 1)));
  const tensors = new Map(merged!.weights.toHuggingFace()), own = values.toHuggingFace();
  for (const name of targets) {
    const { a, b } = adapterNames(name), [rows, columns] = tensors.get(name)!.shape as [number, number];
    const [left, right] = [own.get(b)!.data, own.get(a)!.data], { data } = tensors.get(name)!;
    const { rank, scaling } = more.apart?.get(name) ?? more;
    for (let i = 0; i < rows * columns; i++) {
      const row = Math.floor(i / columns), column = i % columns;
      for (let r = 0; r < rank; r++) data[i]! += scaling * left[row * rank + r]! * right[r * columns + column]!;
    }
  }
  for (const name of more.saved) tensors.set(name, own.get(name)!);
  merged!.weights.fromHuggingFace(tensors);
  try {
    await body(adapted, merged!);
  } finally {
    for (const model of [adapted, merged!]) model.release();
    runtime.release();
  }
}

function near(got: ArrayLike<number>, want: ArrayLike<number>, tolerance: number): void {
  assert.equal(got.length, want.length);
  for (let i = 0; i < want.length; i++) {
    assert(Math.abs(got[i]! - want[i]!) <= tolerance, `${i}: ${got[i]}, want ${want[i]}`);
  }
}

Deno.test("adapterOf() places A and B of the adapted parts under the names of their parameters, and copies whole", () => {
  const adapter = adapterOf(
    LAYOUT,
    plan([at(0, "self_attn.q_proj"), at(0, "self_attn.v_proj"), at(1, "mlp.down_proj")], {
      saved: new Set(["model.norm.weight"]),
    }),
  );
  const layer = "model.layers.";
  assert.deepEqual(adapter.layout.parameters.map(({ name, shape }) => [name, ...shape]), [
    [`${layer}0.self_attn.q_proj.lora_A.weight`, 2, 64],
    [`${layer}0.self_attn.v_proj.lora_A.weight`, 2, 64],
    [`${layer}0.self_attn.q_proj.lora_B.weight`, 64, 2],
    [`${layer}0.self_attn.v_proj.lora_B.weight`, 32, 2],
    [`${layer}1.mlp.down_proj.lora_A.weight`, 2, 128],
    [`${layer}1.mlp.down_proj.lora_B.weight`, 64, 2],
    ["model.norm.weight", 64],
  ]);
  assert.equal(adapter.layout.count, 2 * 2 * 64 + 2 * (64 + 32) + 2 * 128 + 2 * 64 + 64);
});

Deno.test("adapterOf() refuses what the base has not, a vector, and both ways at once", () => {
  const make = (targets: string[], saved: string[] = []) => () =>
    adapterOf(LAYOUT, plan(targets, { saved: new Set(saved) }));
  assert.throws(make(["model.layers.9.mlp.up_proj.weight"]), /the model has no parameter "model\.layers\.9/);
  assert.throws(make(["model.norm.weight"]), /Cannot adapt "model\.norm\.weight" \[64\]: want a matrix/);
  assert.throws(make([at(0, "mlp.up_proj")], [at(0, "mlp.up_proj")]), /want one of the two/);
});

for (
  const [what, given] of Object.entries({
    "every linear layer": plan(LINEAR),
    "q and v": plan(LINEAR.filter((name) => /[qv]_proj/.test(name))),
    "k of one layer, and copies of embeddings and norm": plan([at(1, "self_attn.k_proj")], {
      saved: new Set(["model.embed_tokens.weight", "model.norm.weight"]),
    }),
    "q, and copies of k and its bias": plan([at(0, "self_attn.q_proj")], {
      saved: new Set([at(0, "self_attn.k_proj"), "model.layers.0.self_attn.k_proj.bias"]),
    }),
    "q, k and v by ranks of their own": plan(LINEAR, {
      apart: apart([at(0, "self_attn.k_proj"), 3, 3, 1], [at(1, "mlp.up_proj"), 1, 5, 5]),
    }),
    "q, k and v by factors of their own, by rsLoRA": plan(LINEAR, {
      rslora: true,
      scaling: 3 / Math.SQRT2,
      apart: apart([at(1, "self_attn.v_proj"), 2, 7, 7 / Math.SQRT2]),
    }),
    "q and v, of which v has a rank of its own": plan(LINEAR.filter((name) => /[qv]_proj/.test(name)), {
      apart: apart([at(1, "self_attn.v_proj"), 4, 7, 7 / 4]),
    }),
  })
) {
  Deno.test(`an adapter of ${what} changes log-probs, loss and completions as its sum in the weights would`, () =>
    both(given, async (adapted, merged) => {
      const plain = adapted.withoutAdapter();
      const [got, want, without] = await Promise.all([adapted, merged, plain].map((model) => model.logprobs(BATCH)));
      got!.logprobs.forEach((row, r) => near(row, want!.logprobs[r]!, 5e-5));
      assert(got!.logprobs.some((row, r) => row.some((x, t) => Math.abs(x - without!.logprobs[r]![t]!) > 1e-2)));
      plain.release();
      const [here, there] = [
        await adapted.accumulateGradient(BATCH, SETTINGS),
        await merged.accumulateGradient(BATCH, SETTINGS),
      ];
      near([here.loss], [there.loss], 1e-5);
      const [mine, theirs] = [
        await adapted.sample(BATCH.prompts, 2, GREEDY),
        await merged.sample(BATCH.prompts, 2, GREEDY),
      ];
      assert.deepEqual(mine.map(({ tokenIds }) => tokenIds), theirs.map(({ tokenIds }) => tokenIds));
      mine.forEach(({ logprobs }, r) => near(logprobs, theirs[r]!.logprobs, 5e-5));
    }));
}

Deno.test("only an adapter has a gradient and moments, and its updates leave the base bit for bit", () =>
  both(plan(LINEAR), async (model) => {
    const base = model.adapted!.base, before = (base.values.data as Float32Array).slice();
    const own = (model.weights.values.data as Float32Array).slice();
    const adamw = { learningRate: 1e-2, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.1, maxNorm: 1 };
    for (let update = 0; update < 3; update++) {
      await model.accumulateGradient(BATCH, SETTINGS);
      assert((await model.applyUpdate(adamw)).applied);
    }
    assert.equal((await model.optimizer()).save().moments.get("m")!.length, model.weights.layout.size);
    same(base.values.data as Float32Array, before);
    assert.notDeepEqual(model.weights.values.data, own);
    assert.equal(model.parameters, base.layout.count + model.weights.layout.count);
  }));

Deno.test("a copy of a model has an adapter of its own upon the same base, and outlives neither", () =>
  both(plan(LINEAR), async (adapted) => {
    const reference = adapted.copy(), before = await reference.logprobs(BATCH);
    assert.equal(reference.adapted!.base, adapted.adapted!.base, "the base is stored once");
    assert.deepEqual(before, await adapted.logprobs(BATCH));
    (adapted.weights.values.data as Float32Array).fill(0);
    assert.deepEqual(await reference.logprobs(BATCH), before);
    const off = adapted.withoutAdapter();
    assert.deepEqual(await adapted.logprobs(BATCH), await off.logprobs(BATCH), "an adapter of zeros adds nothing");
    reference.release();
    off.release();
    assert((await adapted.logprobs(BATCH)).logprobs.length === 4, "the base is the adapted model's to free");
    assert.throws(() => off.withoutAdapter(), /Cannot switch the adapter off: the model has none/);
  }));

Deno.test("an adapter's overflow is found where it arises, and a base's NaN by its name", () =>
  both(plan([at(0, "self_attn.q_proj")]), async (adapted) => {
    assert.equal(await adapted.locateNonFinite(BATCH, SETTINGS), null);
    const values = adapted.weights.values.data as Float32Array, own = values.slice();
    values.fill(3e38);
    const found = await adapted.locateNonFinite(BATCH, SETTINGS);
    assert.deepEqual([found!.kind, found!.op], ["forward", "Gemm"]);
    assert.match(found!.name, /^gemm in attention of layer 0 \(model.*q_proj\.lora_[AB]\.weight\)$/);
    values.set(own);
    (adapted.adapted!.base.values.data as Float32Array)[3] = NaN;
    assert.equal((await adapted.locateNonFinite(BATCH, SETTINGS))!.name, "model.embed_tokens.weight");
  }));

/** Numbers in (-1, 1), the same every time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9 | 0;
    return (state >>> 0) / 2 ** 31 - 1;
  };
}

const TINY: ModelConfig = {
  ...CONFIG,
  vocabSize: 11,
  hiddenSize: 8,
  intermediateSize: 6,
  heads: 4,
  kvHeads: 2,
  headDim: 4,
};

const UNEVEN = {
  apart: apart([at(0, "self_attn.k_proj"), 3, 2, 2 / 3], [at(1, "self_attn.v_proj"), 2, 9, 9 / 2]),
  saved: new Set(["model.layers.0.self_attn.q_proj.bias"]),
};

for (
  const [what, modules, more] of [["all", /_proj/, {}], ["q and v", /[qv]_proj/, {}], [
    "uneven all",
    /_proj/,
    UNEVEN,
  ]] as const
) {
  for (const dropout of [0, 0.25]) {
    Deno.test(`A and B of ${what} have the gradient of the loss's differences, float64, dropout ${dropout}`, async () => {
      const base = parameterLayout(TINY), random = numbers(5);
      const matrices = base.parameters.filter(({ name, shape }) => modules.test(name) && shape.length === 2);
      const adapter = adapterOf(base, plan(matrices.map(({ name }) => name), { dropout, ...more }));
      const shape = { prompts: 2, group: 2, promptTokens: 3, completionTokens: 4 }, graph = new Graph();
      const weights = new GraphWeights(graph, { layout: adapter.layout, adapter }, { dtype: "float64", dropout: true });
      const { logprobs } = forward(forwardInputs(graph, shape, TINY, 8, "float64"), weights, shape, TINY);
      const loss = logprobs.mul(graph.input("coefficients", { dtype: "float64", shape: [4, 4] })).sum();
      const own = adapter.layout.packed;
      gradients(loss, own.map(({ name }) => weights.stored(name))).forEach((x, i) => graph.output(`d.${i}`, x));
      graph.output("loss", loss.reshape([1]));

      const fill = (count: number, make: () => number) => Array.from({ length: count }, make);
      const id = () => Math.floor((random() + 1) / 2 * 11), { cos, sin } = ropeTables(TINY, 8);
      const fixed: Record<string, Fed> = {
        prompts: { dtype: "int64", shape: [2, 3], data: BigInt64Array.from(fill(6, id), BigInt) },
        prompt_mask: floats([2, 3], [0, 1, 1, 1, 1, 1]),
        completions: { dtype: "int64", shape: [4, 4], data: BigInt64Array.from(fill(16, id), BigInt) },
        cos: doubles([8, 2], cos),
        sin: doubles([8, 2], sin),
        coefficients: doubles([4, 4], fill(16, random)),
      };
      for (const { name, shape, size } of base.packed) fixed[`weight.${name}`] = doubles(shape, fill(size, random));
      const drops = graph.inputs.filter(({ name }) => name.startsWith("dropout."));
      assert.equal(drops.length > 0, dropout > 0);
      for (const { name, dims } of drops) {
        const data = Uint8Array.from(fill(dims[0]! * dims[1]!, () => Number(random() > -0.5)));
        fixed[name] = { dtype: "bool", shape: dims, data };
      }
      const point = own.map(({ size }) => fill(size, random)), direction = own.map(({ size }) => fill(size, random));
      const run = (values: number[][], wanted: Record<string, readonly number[]>) => {
        const fed = own.map(({ name, shape }, i) => [`weight.${name}`, doubles(shape, values[i]!)] as const);
        return runGraph(graph, { ...fixed, ...Object.fromEntries(fed) }, wanted);
      };
      const exact = await run(point, Object.fromEntries(own.map(({ shape }, i) => [`d.${i}`, shape])));
      const expected = direction.reduce(
        (sum, row, i) => sum + row.reduce((s, d, j) => s + d * exact[`d.${i}`]![j]!, 0),
        0,
      );
      const epsilon = 1e-6;
      const moved = async (sign: number) =>
        (await run(point.map((row, i) => row.map((x, j) => x + sign * epsilon * direction[i]![j]!)), { loss: [1] }))
          .loss![0]!;
      const difference = (await moved(1) - await moved(-1)) / (2 * epsilon);
      assert(Math.abs(expected) > 1e-3);
      assert(Math.abs(difference - expected) <= 1e-6 * Math.abs(expected), `${difference} and ${expected}`);
    });
  }
}

Deno.test("copies of some parts of a matrix stand each in its own place, also where they have the same shape", async () => {
  const runtime = await cpuRuntime();
  const config = modelConfig({
    ...readJson("models/qwen2/config.json") as Record<string, unknown>,
    num_key_value_heads: 4,
  });
  const saved = new Set([at(0, "self_attn.q_proj"), at(0, "self_attn.v_proj")]);
  for (const bits of [null, 8] as const) {
    const [base, whole] = [bits, null].map((bits) => LanguageModel.create(runtime, config, bits));
    whole!.weights.initialize((length) => Float32Array.from({ length }, (_, i) => 8 * Math.sin(i * 0.7)));
    const tensors = new Map(whole!.weights.toHuggingFace());
    base!.weights.fromHuggingFace(tensors);
    const adapted = LanguageModel.adapt(base!, plan([], { saved }), null), { values, layout } = adapted.weights;
    values.upload(Float32Array.from({ length: layout.size }, (_, i) => 0.3 * Math.sin(i * 1.3)));
    for (const [name, tensor] of adapted.weights.toHuggingFace()) tensors.set(name, tensor);
    whole!.weights.fromHuggingFace(tensors);
    const got = (await adapted.logprobs(BATCH)).logprobs, want = (await whole!.logprobs(BATCH)).logprobs;
    got.forEach((row, i) => near(row, want[i]!, bits === null ? 2e-5 : 0.1));
    adapted.release();
    whole!.release();
  }
  runtime.release();
});
