/**
 * Gradients of the tower, of the merger and of features in a prompt against finite differences.
 *
 * All differences are in float64. Of the merger they are those of its formula in plain numbers: its GELU is an Erf, of which
 * ONNX Runtime has a kernel in float32 alone.
 */
import assert from "node:assert/strict";
import { gradients } from "../../../../gpu/autodiff/gradients.ts";
import { type ModelConfig, modelConfig } from "../../../../gpu/models/config.ts";
import { type BatchShape, forward, forwardInputs } from "../../../../gpu/models/forward.ts";
import { parameterLayout } from "../../../../gpu/models/parameters.ts";
import { ropeTables } from "../../../../gpu/models/rope.ts";
import { fillImages, fillPatchPlaces } from "../../../../gpu/models/vision/image_batch.ts";
import { merged, towerStates } from "../../../../gpu/models/vision/tower.ts";
import type { VisionStyle } from "../../../../gpu/models/vision_config.ts";
import type { DType } from "../../../../gpu/onnx/dtype.ts";
import { Graph, type Value } from "../../../../gpu/onnx/graph.ts";
import { GraphWeights } from "../../../../gpu/weights/graph_weights.ts";
import { doubles, type Fed, floats, runGraph } from "../../run_graph.ts";
import { plainConfig, TOWERS } from "../plain_config.ts";
import { madeImage, madePrompt } from "./made_images.ts";

/** Numbers in (-1, 1), the same every time. */
function numbers(seed: number): (length: number) => number[] {
  let state = seed;
  return (length) =>
    Array.from({ length }, () => {
      state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9 | 0;
      return (state >>> 0) / 2 ** 31 - 1;
    });
}

function tiny(style: VisionStyle, hidden_act: string): ModelConfig {
  const small = { patch_size: 2, temporal_patch_size: 1, hidden_act };
  const windows = style === "qwen2_5_vl" ? { window_size: 8, fullatt_block_indexes: [1] } : { depth: 2 };
  return modelConfig({
    ...plainConfig(style),
    vocab_size: 40,
    vision_config: { ...TOWERS[style], ...small, ...windows },
  });
}

interface Differences {
  readonly graph: Graph;
  /** What the weighted sum is a function of, by the names of their inputs. */
  readonly of: Readonly<Record<string, Value>>;
  readonly y: Value;
  readonly fixed: Readonly<Record<string, Fed>>;
  readonly dtype: DType;
  /** `y` in plain numbers, where the graph has no kernel in float64. */
  readonly plain?: (of: Readonly<Record<string, readonly number[]>>) => readonly number[];
}

/** Compares the derivative along a direction in all of `of` with that of differences. */
async function compare({ graph, of, y, fixed, dtype, plain }: Differences, tolerance: number): Promise<void> {
  const random = numbers(5), made = dtype === "float64" ? doubles : floats, names = Object.keys(of);
  const weights = graph.input("coefficients", { dtype, shape: y.shape });
  const sum = y.mul(weights).sum();
  gradients(sum, names.map((name) => of[name]!)).forEach((d, i) => graph.output(`d.${names[i]}`, d));
  graph.output("total", sum.reshape([1]));
  const sizes = names.map((name) => of[name]!.dims.reduce((a, b) => a * b, 1));
  const point = sizes.map((size) => random(size).map((x) => 0.7 * x + 0.1)), direction = sizes.map(random);
  const factors = random(y.dims.reduce((a, b) => a * b, 1)), coefficients = made(y.dims, factors);
  const total = async (shift: number) => {
    if (plain === undefined) return (await at(shift, { total: [1] })).total![0]!;
    const moved = names.map((name, i) => [name, point[i]!.map((x, j) => x + shift * direction[i]![j]!)] as const);
    return plain(Object.fromEntries(moved)).reduce((sum, x, i) => sum + factors[i]! * x, 0);
  };
  // Weights of the rest of the model, which the graph declares too.
  const unread = Object.fromEntries(
    graph.inputs.filter(({ name }) => name.startsWith("weight.")).map(({ name, dims }) =>
      [name, made(dims, Array(dims.reduce((a, b) => a * b, 1)).fill(0))] as const
    ),
  );
  const at = (shift: number, wanted: Record<string, readonly number[]>) => {
    const fed = names.map((name, i) =>
      [name, made(of[name]!.dims, point[i]!.map((x, j) => x + shift * direction[i]![j]!))] as const
    );
    return runGraph(graph, { ...unread, ...fixed, ...Object.fromEntries(fed), coefficients }, wanted);
  };
  const exact = await at(0, Object.fromEntries(names.map((name) => [`d.${name}`, of[name]!.dims])));
  const along = names.map((name, i) => exact[`d.${name}`]!.reduce((sum, d, j) => sum + d * direction[i]![j]!, 0));
  // Each of them is felt.
  along.forEach((x, i) => assert(Math.abs(x) > 1e-9 || names[i]!.endsWith("_bias"), `${names[i]}: ${x}`));
  const epsilon = 1e-6, expected = along.reduce((a, b) => a + b, 0);
  const difference = (await total(epsilon) - await total(-epsilon)) / (2 * epsilon);
  assert(Math.abs(expected) > 1e-3);
  assert(Math.abs(difference - expected) <= tolerance * Math.abs(expected), `${difference} and ${expected}`);
}

/** The weights of a layout that a graph reads, by the names of their inputs. */
function weightsOf(graph: Graph, weights: GraphWeights, config: ModelConfig): Record<string, Value> {
  const read = new Set(graph.nodes.flatMap(({ inputs }) => inputs.map((value) => value?.name)));
  const packed = parameterLayout(config).packed.filter(({ name }) => read.has(`weight.${name}`));
  return Object.fromEntries(packed.map(({ name }) => [`weight.${name}`, weights.get(name)]));
}

for (
  const [style, act, recompute] of [
    ["qwen2_vl", "quick_gelu", false],
    ["qwen2_vl", "gelu_pytorch_tanh", true],
    ["qwen2_5_vl", "silu", false],
    ["qwen2_5_vl", "quick_gelu", true],
  ] as const
) {
  Deno.test(`towerStates() of ${style} with ${act}${recompute ? ", blocks computed again," : ""} has the gradient of its differences`, async () => {
    const config = tiny(style, act), vision = config.vision!, layout = parameterLayout(config);
    const graph = new Graph({ recompute });
    const weights = new GraphWeights(graph, { layout, adapter: null }, { dtype: "float64" });
    const shape = { count: 2, patches: 24, stage: "patches" } as const;
    const y = towerStates(graph, shape, weights, vision), random = numbers(3);
    const fed = Object.fromEntries(
      graph.inputs.filter(({ name }) => name.startsWith("image_")).map(({ name, dims, dtype }) =>
        [name, (dtype === "float32" ? floats : doubles)(dims, random(dims.reduce((a, b) => a * b, 1)))] as const
      ),
    );
    // Places are written as float32, of images of two sizes.
    const places = Object.fromEntries(
      Object.entries(fed).map(([name, { data }]) => [name, { data: new Float32Array(data.length) }]),
    );
    fillPatchPlaces(places, [madeImage("a", 4, 6, config), madeImage("b", 4, 4, config)], 24, vision);
    for (const [name, { data }] of Object.entries(places)) {
      if (name !== "image_patches") (fed[name]!.data as Float64Array).set(data);
    }
    const of = weightsOf(graph, weights, config);
    assert(Object.keys(of).length > 8 && Object.keys(of).every((name) => name.startsWith("weight.vision.")));
    await compare({ graph, of, y, fixed: fed, dtype: "float64" }, 1e-6);
  });
}

/** erf to the last digits of float64: its series, and beyond 3 the continued fraction of what is left of 1. */
function erf(x: number): number {
  const z = Math.abs(x);
  if (z > 3) {
    let fraction = 0;
    for (let n = 60; n > 0; n--) fraction = n / 2 / (z + fraction);
    return Math.sign(x) * (1 - Math.exp(-z * z) / Math.sqrt(Math.PI) / (z + fraction));
  }
  let term = x, sum = x;
  for (let n = 1; n < 80; n++) {
    term *= -x * x / n;
    sum += term / (2 * n + 1);
  }
  return 2 / Math.sqrt(Math.PI) * sum;
}

/** The merger of arXiv 2409.12191, section 2.1, a second time: a norm, patches side by side, two layers with GELU between. */
function mergedNumbers(
  given: Readonly<Record<string, readonly number[]>>,
  { vision }: ModelConfig,
): readonly number[] {
  const { embedDim: e, mergeSize, style } = vision!, side = mergeSize ** 2 * e, states = given.states!;
  const weight = (name: string) => given[`weight.vision.merger.${name}`]!;
  const normed = Array.from({ length: states.length / e }, (_, row) => {
    const x = states.slice(row * e, (row + 1) * e), mean = style === "qwen2_vl" ? x.reduce((a, b) => a + b) / e : 0;
    const variance = x.reduce((sum, one) => sum + (one - mean) ** 2, 0) / e;
    return x.map((one, i) =>
      (one - mean) / Math.sqrt(variance + 1e-6) * weight("norm")[i]! +
      (style === "qwen2_vl" ? weight("norm_bias")[i]! : 0)
    );
  }).flat();
  const layer = (x: readonly number[], name: string) =>
    weight(`${name}_bias`).map((bias, out) =>
      x.reduce((sum, one, i) => sum + one * weight(name)[out * x.length + i]!, bias)
    );
  return Array.from({ length: normed.length / side }, (_, row) => {
    const hidden = layer(normed.slice(row * side, (row + 1) * side), "fc1");
    return layer(hidden.map((x) => x * (1 + erf(x / Math.SQRT2)) / 2), "fc2");
  }).flat();
}

Deno.test("erf() of these tests is that of tables", () => {
  // Abramowitz and Stegun, table 7.1; the last by its asymptotic series.
  for (
    const [x, want] of [[0.5, 0.5204998778], [1, 0.8427007929], [2, 0.9953222650], [3.5, 0.999999256901628]] as const
  ) {
    assert(Math.abs(erf(x) - want) < 1e-10 && erf(-x) === -erf(x), `${x}: ${erf(x)}`);
  }
  assert(Math.abs(erf(3 - 1e-9) - erf(3 + 1e-9)) < 1e-12);
});

for (const style of ["qwen2_vl", "qwen2_5_vl"] as const) {
  Deno.test(`merged() of ${style} has in float32 the gradient of its formula's differences`, async () => {
    const config = tiny(style, "silu"), layout = parameterLayout(config), graph = new Graph();
    const weights = new GraphWeights(graph, { layout, adapter: null });
    const states = graph.input("states", { dtype: "float32", shape: [8, config.vision!.embedDim] });
    const y = merged(states, weights, config.vision!);
    const of = { states, ...weightsOf(graph, weights, config) };
    await compare({ graph, of, y, fixed: {}, dtype: "float32", plain: (given) => mergedNumbers(given, config) }, 2e-6);
  });

  Deno.test(`forward() of ${style} has the gradient of its differences by features and text, which stand in turn`, async () => {
    const config = tiny(style, "silu"), layout = parameterLayout(config);
    const shape: BatchShape = {
      ...{ prompts: 2, group: 2, promptTokens: 9, completionTokens: 3 },
      images: { count: 2, patches: 8, stage: "features" },
    };
    const graph = new Graph();
    const weights = new GraphWeights(graph, { layout, adapter: null }, { dtype: "float64" });
    const inputs = forwardInputs(graph, shape, config, 16, "float64");
    const { logprobs } = forward(inputs, weights, shape, config);
    const features = graph.inputs.find(({ name }) => name === "image_features")!;
    const [a, b] = [madeImage("a", 4, 2, config), madeImage("b", 2, 2, config)];
    const prompts = [madePrompt([b, a], [3], config), madePrompt([a], [4, 5], config)];
    const given = graph.inputs.filter(({ name }) => !name.startsWith("weight.") && name !== "image_features");
    const fed: Record<string, Fed> = Object.fromEntries(given.map(({ name, dims, dtype }) => {
      const size = dims.reduce((a, b) => a * b, 1);
      if (dtype === "int64") return [name, { dtype, shape: dims, data: new BigInt64Array(size).fill(2n) }];
      return [name, (dtype === "float32" ? floats : doubles)(dims, Array(size).fill(0))];
    }));
    const own = Object.fromEntries(
      Object.entries(fed).map(([name, { data }]) => [
        name,
        { data: data instanceof BigInt64Array ? data : new Float32Array(data.length) },
      ]),
    );
    const place = { data: new Float32Array(features.dims[0]! * features.dims[1]!) };
    const batch = { shape: shape.images!, images: [b, a], rows: [] };
    fillImages({ ...own, image_features: place }, prompts, 9, batch, config);
    for (const name of ["is_image", "prompt_cos", "prompt_sin", "prompt_next"]) {
      (fed[name]!.data as Float64Array).set(own[name]!.data as Float32Array);
    }
    const padded = (p: number) => [...Array(9 - prompts[p]!.length).fill(0), ...prompts[p]!];
    fed.prompts = { dtype: "int64", shape: [2, 9], data: BigInt64Array.from([...padded(0), ...padded(1)], BigInt) };
    fed.prompt_mask = floats(
      [2, 9],
      prompts.flatMap(({ length }) => Array.from({ length: 9 }, (_, t) => +(t >= 9 - length))),
    );
    const table = ropeTables(config, 16), half = config.headDim / 2;
    fed.cos = doubles([16, half], table.cos);
    fed.sin = doubles([16, half], table.sin);
    const of = { image_features: features, ...weightsOf(graph, weights, config) };
    await compare({ graph, of, y: logprobs, fixed: fed, dtype: "float64" }, 1e-6);
  });
}
