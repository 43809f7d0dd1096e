import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { clipped } from "../../../gpu/losses/clipped.ts";
import { value } from "../../../gpu/losses/value.ts";
import { GraphWeights } from "../../../gpu/weights/graph_weights.ts";
import { type ModelConfig, modelConfig } from "../../../gpu/models/config.ts";
import { type BatchShape, forward, forwardInputs, forwardValues } from "../../../gpu/models/forward.ts";
import type { TrainBatch, TrainSettings } from "../../../gpu/language_model.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { ropeTables } from "../../../gpu/models/rope.ts";
import { Graph, type Value } from "../../../gpu/onnx/graph.ts";
import { norm, withModel } from "../golden_model.ts";
import { doubles, type Fed, floats, runGraph } from "../run_graph.ts";
import { readJson } from "../safetensors.ts";

/** Numbers in (-1, 1), the same every time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9 | 0;
    return (state >>> 0) / 2 ** 31 - 1;
  };
}

const TINY: Partial<ModelConfig> = {
  vocabSize: 11,
  hiddenSize: 8,
  intermediateSize: 6,
  heads: 4,
  kvHeads: 2,
  headDim: 4,
};
const SHAPE: BatchShape = { prompts: 2, group: 3, promptTokens: 3, completionTokens: 4 };

/** Of 24 rows of logits, 11 wide in float32, at most 5 at once. */
const CHUNKED = { headBytes: 5 * 11 * 4 };
const PLAIN = ["qwen2", "qwen3", "llama"].map((name) => [name, "as it is", {}, {}] as const);
/** Every feature that training has: goldens of tests/peers/families.py. */
const FAMILIES = ["qwen2", "llama", "smollm3", "phi3", "phi3_window", "gemma2", "gemma3", "olmo2", "granite"].map((
  name,
) => [`family ${name}`, "as it is", {}, {}] as const);

/** A model in sizes of `TINY`, its windows so narrow that these sequences feel them. */
function tiny(name: string): ModelConfig {
  const [kind, family] = name.split(" ");
  const config = modelConfig(
    readJson(family ? `goldens/families/${family}/config.json` : `models/${kind}/config.json`),
  );
  const layerKinds = config.layerKinds.map(({ window, rope }) => ({ rope, window: window && 2 }));
  return { ...config, ...TINY, layerKinds };
}

/** The rotary tables that a graph reads, of 8 positions. */
function tablesOf(graph: Graph, config: ModelConfig): Record<string, Fed> {
  const names = graph.inputs.filter(({ name }) => /^(?:cos|sin)/.test(name));
  return Object.fromEntries(names.map(({ name, dims }) => {
    const [kind, local] = name.split(".");
    return [name, doubles(dims, ropeTables(config, 8, { local: local === "local" })[kind as "cos" | "sin"])];
  }));
}

for (
  const [name, how, made, head] of [
    ...PLAIN,
    ...FAMILIES,
    ["qwen2", "layers computed again", { recompute: true }, {}],
    ["llama", "the head in chunks", {}, CHUNKED],
    ["qwen3", "both", { recompute: true }, CHUNKED],
    ["family gemma3", "both", { recompute: true }, CHUNKED],
    ["family phi3", "both", { recompute: true }, CHUNKED],
  ] as const
) {
  Deno.test(`forward() of ${name}, ${how}, has the gradient of its own differences, float64, all weights at once`, async () => {
    const config = tiny(name);
    const layout = parameterLayout(config), random = numbers(7), batch = [6, 4], n = 24;
    const graph = new Graph(made);
    const weights = new GraphWeights(graph, { layout, adapter: null }, { dtype: "float64" });
    const inputs = forwardInputs(graph, SHAPE, config, 8, "float64");
    const { logprobs } = forward(inputs, weights, SHAPE, config, { temperature: 0.8, ...head });
    const known = new Map<string, Value>();
    const read = (name: string) => {
      const value = known.get(name) ?? graph.input(name, { dtype: "float64", shape: batch });
      known.set(name, value);
      return value;
    };
    const terms = clipped.graph(
      {
        objective: "clipped",
        clipLow: 0.2,
        clipHigh: 0.2,
        ratioCap: null,
        ratioLevel: "token",
        onPolicy: false,
        kl: { estimator: "k3", coefficient: 0.1, timesRatio: true },
      },
      { logprobs, mask: read("mask"), input: read, statistic: read },
    );
    const loss = terms.loss.mul(read("coefficients")).sum();
    const all = layout.packed.map(({ name }) => weights.get(name));
    gradients(loss, all).forEach((gradient, i) => graph.output(`d.${layout.packed[i]!.name}`, gradient));
    graph.output("loss", loss.reshape([1]));
    graph.output("logprobs", logprobs);

    const fill = (count: number, make: () => number) => Array.from({ length: count }, make);
    const id = () => Math.floor((random() + 1) / 2 * 11);
    const point = layout.packed.map(({ size }) => fill(size, () => random() * 0.7 + 0.1));
    const fixed: Record<string, Fed> = {
      prompts: { dtype: "int64", shape: [2, 3], data: BigInt64Array.from(fill(6, id), BigInt) },
      prompt_mask: floats([2, 3], [0, 1, 1, 1, 1, 1]),
      completions: { dtype: "int64", shape: batch, data: BigInt64Array.from(fill(n, id), BigInt) },
      ...tablesOf(graph, config),
      mask: doubles(batch, fill(n, () => 1)),
      advantages: doubles(batch, fill(n, random)),
      coefficients: doubles(batch, fill(n, () => random() + 1)),
    };
    const shapes = { loss: [1], logprobs: batch };
    const at = async (values: number[][], more: Record<string, Fed>, wanted: Record<string, readonly number[]>) => {
      const fed = layout.packed.map(({ name, shape }, i) => [`weight.${name}`, doubles(shape, values[i]!)] as const);
      return await runGraph(graph, { ...fixed, ...Object.fromEntries(fed), ...more }, wanted);
    };
    const zeros = { old_logprobs: doubles(batch, fill(n, () => 0)), ref_logprobs: doubles(batch, fill(n, () => 0)) };
    const now = (await at(point, zeros, shapes)).logprobs!;
    // old and reference are near, so that some ratios are clipped and none sits on a bound
    const near = {
      old_logprobs: doubles(batch, now.map((x) => x + random() * 0.5)),
      ref_logprobs: doubles(batch, now.map((x) => x + random())),
    };
    const outputs = Object.fromEntries(layout.packed.map(({ name, shape }) => [`d.${name}`, shape]));
    const exact = await at(point, near, outputs);
    const direction = point.map((values) => values.map(random)), epsilon = 1e-6;
    const moved = (sign: number) =>
      at(point.map((values, i) => values.map((x, j) => x + sign * epsilon * direction[i]![j]!)), near, { loss: [1] });
    const difference = ((await moved(1)).loss![0]! - (await moved(-1)).loss![0]!) / (2 * epsilon);
    const expected = layout.packed.reduce(
      (sum, { name }, i) => sum + exact[`d.${name}`]!.reduce((s, d, j) => s + d * direction[i]![j]!, 0),
      0,
    );
    assert(Math.abs(expected) > 1e-3);
    assert(Math.abs(difference - expected) <= 1e-6 * Math.abs(expected), `${difference} and ${expected}`);
  });
}

const SETTINGS: TrainSettings = {
  loss: {
    objective: "clipped",
    clipLow: 0.2,
    clipHigh: 0.2,
    ratioCap: null,
    ratioLevel: "token",
    onPolicy: true,
    kl: null,
  },
  aggregation: "sequence_mean",
  temperature: 1,
};
const BATCH: TrainBatch = {
  prompts: [[502, 82, 88, 13, 5], [336], [17, 1, 2]],
  group: 2,
  completions: [[1, 2, 3, 503], [4, 503], [9, 8, 7, 6, 5, 4, 3], [503], [77, 78, 503], [11, 12, 13, 14, 503]],
  inputs: { advantages: [1, -1, 0.5, -0.5, 2, -2] },
};

function close(a: ArrayLike<number>, b: ArrayLike<number>, tolerance: number, what: string): void {
  assert.equal(a.length, b.length, what);
  for (let i = 0; i < a.length; i++) {
    assert(Math.abs(a[i]! - b[i]!) <= tolerance, `${what}[${i}]: ${a[i]} and ${b[i]}`);
  }
}

for (const name of ["qwen2", "qwen3"]) {
  Deno.test(`A prompt computed once for its group gives ${name} what it gives when computed per completion`, async () => {
    await withModel(name, async (model) => {
      const shared = await model.accumulateGradient(BATCH, SETTINGS), gradient = model.weights.namedGradients();
      await model.applyUpdate({ learningRate: 0, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0, maxNorm: 1 });
      const alone = { ...BATCH, prompts: BATCH.prompts.flatMap((prompt) => [prompt, prompt]), group: 1 };
      const unshared = await model.accumulateGradient(alone, SETTINGS);
      close([shared.loss], [unshared.loss], 1e-5, "loss");
      shared.logprobs.forEach((row, r) => close(row, unshared.logprobs[r]!, 1e-5, `logprobs of ${r}`));
      for (const [parameter, { data }] of model.weights.namedGradients()) {
        close(gradient.get(parameter)!.data, data, 1e-5 * (1 + norm(data)), parameter);
      }
    });
  });
}

Deno.test("Padding changes nothing: longer neighbours on both sides", async () => {
  await withModel("qwen2", async (model) => {
    const { logprobs } = await model.logprobs(BATCH);
    const more = {
      prompts: [...BATCH.prompts, Array.from({ length: 50 }, (_, i) => i)],
      group: 2,
      completions: [...BATCH.completions, Array.from({ length: 40 }, (_, i) => i), [5]],
    };
    const padded = await model.logprobs(more);
    logprobs.forEach((row, r) => close(row, padded.logprobs[r]!, 1e-5, `row ${r}`));
  });
});

for (const aggregation of ["sequence_mean", "token_mean", "sequence_sum_norm"] as const) {
  Deno.test(`Micro-batches add up to the full batch under ${aggregation}`, async () => {
    await withModel("qwen2", async (model) => {
      const settings = { ...SETTINGS, aggregation };
      const whole = await model.accumulateGradient(BATCH, settings), gradient = model.weights.namedGradients();
      await model.applyUpdate({ learningRate: 0, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0, maxNorm: 1 });
      const parts = await model.accumulateGradient(BATCH, { ...settings, promptsPerPass: 1 });
      close([whole.loss], [parts.loss], 1e-5, "loss");
      for (const metric of ["entropy", "ratio_mean", "clip_fraction"]) {
        close([whole.metrics[metric]!], [parts.metrics[metric]!], 1e-5, metric);
      }
      assert.equal(whole.tokens, 22);
      for (const [parameter, { data }] of model.weights.namedGradients()) {
        close(gradient.get(parameter)!.data, data, 1e-5 * (1 + norm(data)), parameter);
      }
    });
  });
}

Deno.test("forwardValues() has the gradient of its own differences, float64, head and body at once", async () => {
  const config: ModelConfig = { ...modelConfig(readJson("models/qwen2/config.json")), ...TINY, head: "scalar" };
  const layout = parameterLayout(config), random = numbers(11), batch = [6, 4], n = 24;
  assert.deepEqual(layout.packed.find(({ name }) => name === "score")?.shape, [1, 8]);
  const graph = new Graph(), weights = new GraphWeights(graph, { layout, adapter: null }, { dtype: "float64" });
  const inputs = forwardInputs(graph, SHAPE, config, 8, "float64");
  const values = forwardValues(inputs, weights, SHAPE, config);
  const read = (name: string) => graph.input(name, { dtype: "float64", shape: batch });
  const never = () => assert.fail("a scalar head has no log-probs");
  const tokens = { values, logprobs: values, mask: read("mask"), input: read, statistic: never };
  const loss = value.graph({ objective: "value", clip: 0.3 }, tokens).loss.mul(read("coefficients")).sum();
  const gradient = gradients(loss, layout.packed.map(({ name }) => weights.get(name)));
  gradient.forEach((x, i) => graph.output(`d.${layout.packed[i]!.name}`, x));
  graph.output("loss", loss.reshape([1]));
  graph.output("values", values);

  const { cos, sin } = ropeTables(config, 8);
  const fill = (count: number, make: () => number) => Array.from({ length: count }, make);
  const id = () => Math.floor((random() + 1) / 2 * 11);
  const point = layout.packed.map(({ size }) => fill(size, () => random() * 0.7 + 0.1));
  const fixed: Record<string, Fed> = {
    prompts: { dtype: "int64", shape: [2, 3], data: BigInt64Array.from(fill(6, id), BigInt) },
    prompt_mask: floats([2, 3], [0, 1, 1, 1, 1, 1]),
    completions: { dtype: "int64", shape: batch, data: BigInt64Array.from(fill(n, id), BigInt) },
    cos: doubles([8, 2], cos),
    sin: doubles([8, 2], sin),
    mask: doubles(batch, fill(n, () => 1)),
    coefficients: doubles(batch, fill(n, () => random() + 1)),
  };
  const at = async (moved: number[][], more: Record<string, Fed>, wanted: Record<string, readonly number[]>) => {
    const fed = layout.packed.map(({ name, shape }, i) => [`weight.${name}`, doubles(shape, moved[i]!)] as const);
    return await runGraph(graph, { ...fixed, ...Object.fromEntries(fed), ...more }, wanted);
  };
  const zeros = { old_values: doubles(batch, fill(n, () => 0)), returns: doubles(batch, fill(n, () => 0)) };
  const now = (await at(point, zeros, { values: batch })).values!;
  // Old values are near, so that some are bounded and none sits on the bound.
  const near = {
    old_values: doubles(batch, now.map((x) => x + random() * 0.6)),
    returns: doubles(batch, now.map((x) => x + random())),
  };
  const exact = await at(point, near, Object.fromEntries(layout.packed.map(({ name, shape }) => [`d.${name}`, shape])));
  const direction = point.map((row) => row.map(random)), epsilon = 1e-6;
  const moved = (sign: number) =>
    at(point.map((row, i) => row.map((x, j) => x + sign * epsilon * direction[i]![j]!)), near, { loss: [1] });
  const difference = ((await moved(1)).loss![0]! - (await moved(-1)).loss![0]!) / (2 * epsilon);
  const along = layout.packed.map(({ name }, i) =>
    exact[`d.${name}`]!.reduce((sum, d, j) => sum + d * direction[i]![j]!, 0)
  );
  const expected = along.reduce((a, b) => a + b, 0);
  assert(Math.abs(expected) > 1e-3 && Math.abs(along[layout.packed.findIndex(({ name }) => name === "score")]!) > 1e-3);
  assert(Math.abs(difference - expected) <= 1e-6 * Math.abs(expected), `${difference} and ${expected}`);
});
