/**
 * The vision tower and its merger: from patches to what stands in a prompt in place of image tokens.
 *
 * Source: transformers models/qwen2_vl/modeling_qwen2_vl.py `Qwen2VisionTransformerPretrainedModel`, `PatchMerger`;
 * models/qwen2_5_vl/modeling_qwen2_5_vl.py `Qwen2_5_VisionTransformerPretrainedModel`. Its window attention reorders
 * patches so that a window's are neighbours; here they keep their order and a mask says which see each other.
 * @module
 */
import type { Graph, Value } from "../../onnx/graph.ts";
import type { GraphWeights } from "../../weights/graph_weights.ts";
import { attend, Masks } from "../attention.ts";
import { project } from "../blocks.ts";
import { patchWidth, type VisionActivation, type VisionConfig } from "../vision_config.ts";

/**
 * How far images are computed when a graph gets them: not at all, by the tower, or by tower and merger. What trains
 * decides: before it nothing has a gradient, and its numbers are constants.
 */
export type ImageStage = "patches" | "states" | "features";

/** Images of one graph, padded to one size. */
export interface ImageShape {
  /** N ≥ 1, fillers included. */
  readonly count: number;
  /** S, patches of the largest, a multiple of mergeSize². */
  readonly patches: number;
  readonly stage: ImageStage;
}

/** eps of every norm, which no configuration says. */
const NORM_EPSILON = 1e-6;

const ACTIVATE: Record<VisionActivation, (x: Value) => Value> = {
  quick_gelu: (x) => x.quickGelu(),
  silu: (x) => x.silu(),
  gelu: (x) => x.gelu(),
  gelu_tanh: (x) => x.geluTanh(),
};

/**
 * Declares the inputs of a stage and computes the features float [N · S / merge², D] of its images, `D` the text's width.
 *
 * image_patches   float32 [N · S, patch width]  of stage patches, with
 * image_cos, _sin float32 [N · S, head size / 2]
 * image_valid     float32 [N, S]  1 on patches, 0 on padding
 * image_windows   float32 [N, S]  number of a patch's window; only where the tower has windows
 * image_states    float32 [N · S, E]  of stage states
 * image_features  float32 [N · S / merge², D]  of stage features
 */
export function imageFeatures(
  graph: Graph,
  shape: ImageShape,
  weights: GraphWeights,
  vision: VisionConfig,
  hiddenSize: number,
): Value {
  const { count, patches, stage } = shape, rows = count * patches;
  if (stage === "features") {
    return graph.input("image_features", {
      dtype: weights.dtype,
      shape: [rows / vision.mergeSize ** 2, hiddenSize],
    });
  }
  const states = stage === "states"
    ? graph.input("image_states", { dtype: weights.dtype, shape: [rows, vision.embedDim] })
    : towerStates(graph, shape, weights, vision);
  return merged(states, weights, vision);
}

/** Declares the inputs of stage patches; the tower's states float [N · S, E]. */
export function towerStates(graph: Graph, shape: ImageShape, weights: GraphWeights, vision: VisionConfig): Value {
  const { count, patches } = shape, rows = count * patches, { dtype } = weights;
  const half = vision.embedDim / vision.heads / 2;
  const read = graph.input("image_patches", { dtype, shape: [rows, patchWidth(vision)] });
  const [cos, sin] = ["image_cos", "image_sin"].map((name) => graph.input(name, { dtype, shape: [rows, half] }));
  const valid = graph.input("image_valid", { dtype: "float32", shape: [count, patches] });
  const windows = vision.window === null
    ? null
    : graph.input("image_windows", { dtype: "float32", shape: [count, patches] });
  const places = graph.constant(BigInt64Array.from({ length: rows }, (_, i) => BigInt(i)), [count, patches]);
  const masks = (segments: Value | null) =>
    new Masks(
      { keys: valid, segments: segments && { queries: segments, keys: segments } },
      patches,
      patches,
      dtype,
      false,
    );
  const whole = masks(null), within = windows && masks(windows);
  let x = project(read, weights, "vision.patch_embed");
  for (let block = 0; block < vision.depth; block++) {
    const from = graph.nodes.length, at = `vision.${block}`;
    const isFull = vision.window === null || vision.window.full.includes(block);
    const qkv = project(norm(x, weights, `${at}.norm1`, vision), weights, `${at}.qkv`);
    const y = attention(qkv, [count, patches], { places, cos: cos!, sin: sin! }, isFull ? whole : within!, vision);
    x = x.add(project(y, weights, `${at}.proj`));
    x = x.add(mlp(norm(x, weights, `${at}.norm2`, vision), weights, at, vision));
    if (graph.recomputesLayers) graph.recompute(from);
  }
  return x;
}

interface Turned {
  readonly places: Value;
  readonly cos: Value;
  readonly sin: Value;
}

/** qkv [N · S, 3E] to what all heads see, [N · S, E]. */
function attention(
  qkv: Value,
  size: readonly [number, number],
  { places, cos, sin }: Turned,
  masks: Masks,
  { heads: h, embedDim }: VisionConfig,
): Value {
  const headDim = embedDim / h;
  const byHead = qkv.reshape([...size, 3 * h, headDim]).transpose([0, 2, 1, 3]);
  const [qk, v] = byHead.split(1, [2 * h, h]);
  const [q, k] = qk!.rotary(places, cos, sin).split(1, [h, h]);
  return attend(q!, k!, v!, masks, null, { attentionScale: headDim ** -0.5, attentionSoftcap: null });
}

/** LayerNorm is RMSNorm of what is centred, plus a bias. */
function norm(x: Value, weights: GraphWeights, name: string, { norm: kind }: VisionConfig): Value {
  if (kind === "rms") return x.rmsNorm(weights.get(name), NORM_EPSILON);
  return x.sub(x.mean([-1])).rmsNorm(weights.get(name), NORM_EPSILON).add(weights.get(`${name}_bias`));
}

function mlp(x: Value, weights: GraphWeights, at: string, { gated, activation }: VisionConfig): Value {
  const activate = ACTIVATE[activation];
  if (!gated) {
    return project(activate(project(x, weights, `${at}.fc1`)), weights, `${at}.fc2`);
  }
  const [gate, up] = [project(x, weights, `${at}.gate`), project(x, weights, `${at}.up`)];
  return project(activate(gate).mul(up), weights, `${at}.down`);
}

/** States [N · S, E] to features [N · S / merge², D]: the patches of a token side by side, through an MLP. */
export function merged(states: Value, weights: GraphWeights, vision: VisionConfig): Value {
  const [rows, width] = states.dims as [number, number], each = vision.mergeSize ** 2;
  const side = norm(states, weights, "vision.merger.norm", vision).reshape([rows / each, each * width]);
  return project(project(side, weights, "vision.merger.fc1").gelu(), weights, "vision.merger.fc2");
}
