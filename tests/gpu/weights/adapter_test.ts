/** A made-up low-rank adapter: every graph of a model sees it alike, and a gradient reaches its tensors. */
import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { LanguageModel, type TrainBatch, type TrainSettings } from "../../../gpu/language_model.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { RopeTensors } from "../../../gpu/models/rope_tensors.ts";
import type { Runtime, Tensor } from "../../../gpu/session.ts";
import { fill, openPass, trainGraphOptions } from "../../../gpu/training/passes.ts";
import { inputRows } from "../../../gpu/training/train_batch.ts";
import { trainGraph } from "../../../gpu/training/train_graph.ts";
import type { Adapter } from "../../../gpu/weights/adapter.ts";
import { cpuRuntime, norm } from "../golden_model.ts";
import { readJson, readModel } from "../safetensors.ts";

const CONFIG = modelConfig(readJson("models/qwen2/config.json"));
const RANK = 2, SHAPE = { prompts: 2, group: 2, promptTokens: 3, completionTokens: 4 };
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
/** What it adapts, with the shape: an attention matrix, the embeddings (also the tied head), and a norm is left. */
const ADAPTED: Readonly<Record<string, readonly [number, number]>> = { "0.qkv": [128, 64], embed: [512, 64] };

/** W + A·B for two matrices. */
function lowRank(runtime: Runtime): Adapter {
  const tensor = (shape: readonly [number, number], seed: number) =>
    runtime.tensor(
      "float32",
      shape,
      Float32Array.from({ length: shape[0] * shape[1] }, (_, i) => 0.1 * Math.sin(i * seed + 1)),
    );
  const inputs: Record<string, Tensor> = {};
  for (const [name, [rows, columns]] of Object.entries(ADAPTED)) {
    inputs[`${name}.a`] = tensor([rows, RANK], 0.7);
    inputs[`${name}.b`] = tensor([RANK, columns], 1.3);
  }
  return {
    inputs,
    adapt(graph, packed, stored) {
      const shape = ADAPTED[packed];
      if (!shape) return stored;
      const a = graph.input(`${packed}.a`, { dtype: "float32", shape: [shape[0], RANK] });
      return stored.add(a.matmul(graph.input(`${packed}.b`, { dtype: "float32", shape: [RANK, shape[1]] })));
    },
  };
}

/** A model with the adapter, and one whose weights are what the adapter makes of them. */
async function both(body: (adapted: LanguageModel, merged: LanguageModel) => Promise<void>): Promise<void> {
  const runtime = await cpuRuntime(), adapter = lowRank(runtime);
  const adapted = LanguageModel.create(runtime, CONFIG, adapter), merged = LanguageModel.create(runtime, CONFIG);
  for (const model of [adapted, merged]) model.weights.fromHuggingFace(readModel("qwen2"));
  const all = merged.weights.values.data as Float32Array;
  for (const { name, shape: [rows, columns], offset } of merged.weights.layout.packed) {
    if (!(name in ADAPTED)) continue;
    const a = adapter.inputs[`${name}.a`]!.data as Float32Array, b = adapter.inputs[`${name}.b`]!.data as Float32Array;
    for (let i = 0; i < rows! * columns!; i++) {
      const row = Math.floor(i / columns!), column = i % columns!;
      for (let r = 0; r < RANK; r++) all[offset + i]! += a[row * RANK + r]! * b[r * columns! + column]!;
    }
  }
  try {
    await body(adapted, merged);
  } finally {
    for (const model of [adapted, merged]) model.release();
    runtime.release();
  }
}

function near(got: ArrayLike<number>, want: ArrayLike<number>, tolerance: number): void {
  assert.equal(got.length, want.length);
  for (let i = 0; i < want.length; i++) {
    assert(Math.abs(got[i]! - want[i]!) <= tolerance, `${i}: ${got[i]}, want ${want[i]}`);
  }
}

Deno.test("an adapter changes log-probs, loss, gradient and completions as its sum in the weights would", () =>
  both(async (adapted, merged) => {
    const plain = LanguageModel.create(adapted.runtime, CONFIG);
    plain.weights.copyFrom(adapted.weights);
    const [got, want, without] = await Promise.all([adapted, merged, plain].map((model) => model.logprobs(BATCH)));
    got!.logprobs.forEach((row, r) => near(row, want!.logprobs[r]!, 2e-5));
    assert(got!.logprobs.some((row, r) => row.some((x, t) => Math.abs(x - without!.logprobs[r]![t]!) > 1e-2)));
    plain.release();

    const results = [
      await adapted.accumulateGradient(BATCH, SETTINGS),
      await merged.accumulateGradient(BATCH, SETTINGS),
    ];
    near([results[0]!.loss], [results[1]!.loss], 1e-5);
    const gradient = merged.weights.gradients.data as Float32Array;
    near(adapted.weights.gradients.data as Float32Array, gradient, 1e-5 * norm(gradient));

    const [here, there] = [
      await adapted.sample(BATCH.prompts, 2, GREEDY),
      await merged.sample(BATCH.prompts, 2, GREEDY),
    ];
    assert.deepEqual(here.map(({ tokenIds }) => tokenIds), there.map(({ tokenIds }) => tokenIds));
    here.forEach(({ logprobs }, r) => near(logprobs, there[r]!.logprobs, 5e-5));
  }));

Deno.test("an adapter's overflow is found where it arises, with finite weights", () =>
  both(async (adapted) => {
    assert.equal(await adapted.locateNonFinite(BATCH, SETTINGS), null);
    (adapted.weights.adapter!.inputs["0.qkv.a"]!.data as Float32Array).fill(3e38);
    (adapted.weights.adapter!.inputs["0.qkv.b"]!.data as Float32Array).fill(3e38);
    const found = await adapted.locateNonFinite(BATCH, SETTINGS);
    assert.equal(found!.kind, "forward");
    assert.equal(found!.op, "MatMul");
  }));

Deno.test("a gradient reaches an adapter's tensors, as differences of the loss say", () =>
  both(async (model) => {
    const tables = new RopeTensors(model.runtime, CONFIG).get(7), names = Object.keys(model.weights.adapter!.inputs);
    const graph = trainGraph(trainGraphOptions(model, tables, SHAPE, 1), SETTINGS.loss, new Set(["norm"]), {
      accumulate: false,
    });
    const total = graph.outputs.find(({ name }) => name === "loss")!.node!.inputs[0]!;
    const wrt = names.map((name) => graph.inputs.find((input) => input.name === name)!);
    gradients(total, wrt).forEach((gradient, i) => graph.output(`gradient.${names[i]}`, gradient));
    const pass = await openPass(graph, model, tables, { name: "adapter", trim: false });
    fill(pass, { ...BATCH, first: 0 }, inputRows(BATCH, SETTINGS).inputs);
    const loss = async () => {
      await pass.run.run();
      return (pass.outputs.loss!.data as Float32Array)[0]!;
    };
    for (const name of names) {
      await loss();
      const gradient = (pass.outputs[`gradient.${name}`]!.data as Float32Array).slice(), length = norm(gradient);
      const tensor = model.weights.adapter!.inputs[name]!, values = (tensor.data as Float32Array).slice();
      const at = async (step: number) => {
        tensor.upload(values.map((x, i) => x + step * gradient[i]! / length));
        return await loss();
      };
      const epsilon = 1e-2, difference = (await at(epsilon) - await at(-epsilon)) / (2 * epsilon);
      tensor.upload(values);
      assert(length > 1e-3, `${name}: ${length}`);
      assert(Math.abs(difference - length) <= 2e-2 * length, `${name}: ${difference}, want ${length}`);
    }
    pass.release();
    assert(Number.isFinite((await model.accumulateGradient(BATCH, SETTINGS)).loss), "its tensors outlive the pass");
  }));

Deno.test("a copy of a model has an adapter of its own, with the same values", () =>
  both(async (adapted) => {
    const reference = adapted.copy(), before = await reference.logprobs(BATCH);
    assert.deepEqual(before, await adapted.logprobs(BATCH));
    for (const { data } of Object.values(adapted.weights.adapter!.inputs)) (data as Float32Array).fill(0);
    assert.deepEqual(await reference.logprobs(BATCH), before);
    assert.notDeepEqual(await adapted.logprobs(BATCH), before);
    reference.release();
    assert.equal(adapted.weights.adapter!.inputs["0.qkv.a"]!.data[0], 0, "the model's own tensors are still there");
  }));

Deno.test("a gradient is that of the stored parameter, through what the adapter makes of it", async () => {
  const runtime = await cpuRuntime(), plain = LanguageModel.create(runtime, CONFIG);
  const doubled = LanguageModel.create(runtime, CONFIG, { adapt: (_, __, stored) => stored.mul(2), inputs: {} });
  try {
    plain.weights.fromHuggingFace(readModel("qwen2"));
    const values = (plain.weights.values.data as Float32Array).map((x) => x / 2);
    doubled.weights.values.upload(values);
    const { loss } = await plain.accumulateGradient(BATCH, SETTINGS);
    near([(await doubled.accumulateGradient(BATCH, SETTINGS)).loss], [loss], 1e-5);
    const want = (plain.weights.gradients.data as Float32Array).map((x) => 2 * x);
    near(doubled.weights.gradients.data as Float32Array, want, 1e-5 * norm(want));
  } finally {
    for (const model of [plain, doubled]) model.release();
    runtime.release();
  }
});
