/**
 * What a vision tower is, read from the `vision_config` of a Hugging Face config object.
 *
 * Source: transformers models/qwen2_vl/configuration_qwen2_vl.py `Qwen2VLVisionConfig`,
 * models/qwen2_5_vl/configuration_qwen2_5_vl.py `Qwen2_5_VLVisionConfig`.
 * @module
 */
import { isObject, type Json, positive, refuse, short, shown } from "./config_json.ts";

export interface VisionConfig {
  /** Blocks of the tower. */
  readonly depth: number;
  /** E, the width of its residual stream. */
  readonly embedDim: number;
  readonly heads: number;
  readonly mlpWidth: number;
  /** Pixels along a side of a patch; frames of one; colours. */
  readonly patchSize: number;
  readonly temporalPatchSize: number;
  readonly channels: number;
  /** Patches along a side of a merged token. */
  readonly mergeSize: number;
  readonly activation: VisionActivation;
  /** How the file writes this; graphs and parameters know the switches below alone. */
  readonly style: VisionStyle;
  /** LayerNorm with a bias, or RMSNorm. */
  readonly norm: "layer" | "rms";
  /** The MLP multiplies by a gate: three products in place of two. */
  readonly gated: boolean;
  /** Most blocks attend within windows of so many pixels a side, those of `full` to the whole image; null: all do. */
  readonly window: { readonly pixels: number; readonly full: readonly number[] } | null;
  /** Standard deviation of random initial matrices. */
  readonly initializerRange: number;
}

export type VisionStyle = "qwen2_vl" | "qwen2_5_vl";

/** By their names in config.json (transformers activations.py ACT2FN). */
const VISION_ACTIVATIONS = {
  quick_gelu: "quick_gelu",
  silu: "silu",
  gelu: "gelu",
  gelu_pytorch_tanh: "gelu_tanh",
} as const;

export type VisionActivation = (typeof VISION_ACTIVATIONS)[keyof typeof VISION_ACTIVATIONS];

/** Base of the frequencies by which patches are turned. */
export const VISION_THETA = 10000;

interface StyleKeys extends Pick<VisionConfig, "norm" | "gated"> {
  /** What the configuration class assumes. */
  readonly defaults: Json;
  /** Names of E and of the width of what the merger gives. */
  readonly embedDim: string;
  readonly outDim: string;
  /** Whether attention within windows is known to it, by its key `window_size`. */
  readonly windows: boolean;
  /** The MLP's width: as written, or times E. */
  readonly mlpWidth: "intermediate_size" | "mlp_ratio";
}

const COMMON = { patch_size: 14, spatial_merge_size: 2, temporal_patch_size: 2, depth: 32, num_heads: 16 } as const;

const STYLES: Readonly<Record<VisionStyle, StyleKeys>> = {
  qwen2_vl: {
    defaults: {
      ...COMMON,
      embed_dim: 1280,
      hidden_size: 3584,
      mlp_ratio: 4,
      hidden_act: "quick_gelu",
      initializer_range: 0.02,
    },
    embedDim: "embed_dim",
    outDim: "hidden_size",
    windows: false,
    mlpWidth: "mlp_ratio",
    norm: "layer",
    gated: false,
  },
  qwen2_5_vl: {
    defaults: {
      ...COMMON,
      hidden_size: 3584,
      intermediate_size: 3420,
      out_hidden_size: 3584,
      hidden_act: "silu",
      window_size: 112,
      fullatt_block_indexes: [7, 15, 23, 31],
      tokens_per_second: 4,
      initializer_range: 0.02,
    },
    embedDim: "hidden_size",
    outDim: "out_hidden_size",
    windows: true,
    mlpWidth: "intermediate_size",
    norm: "rms",
    gated: true,
  },
};

/** Keys that change no number of an image: other names of others, videos, kernels. */
const HARMLESS: readonly string[] = [
  "model_type",
  "in_chans",
  "in_channels",
  "spatial_patch_size",
  "rope_parameters", // looked at by itself
  "tokens_per_second",
  "torch_dtype",
  "dtype",
  "transformers_version",
  "_attn_implementation_autoset",
  "architectures",
];

/** Beyond the towers of any model that is published: above them nothing is computed, also not a layout. */
const MOST = {
  depth: 1000,
  num_heads: 4096,
  embed_dim: 2 ** 17,
  hidden_size: 2 ** 17,
  intermediate_size: 2 ** 20,
  patch_size: 64,
  temporal_patch_size: 8,
  spatial_merge_size: 8,
  in_channels: 16,
  window_size: 2 ** 16,
} as const;

function size(json: Json, key: string): number {
  const value = json[key], most = MOST[key as keyof typeof MOST];
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most) return value;
  refuse(`"${key}" of "vision_config" is ${short(value)}`, `a whole number from 1 to ${most}`);
}

/** The width of the MLP as a multiple of E. */
function ratioWidth(json: Json, embedDim: number): number {
  const width = Math.trunc(embedDim * positive(json, "mlp_ratio")), most = MOST.intermediate_size;
  if (width >= 1 && width <= most) return width;
  refuse(
    `"mlp_ratio" of "vision_config" is ${shown(json.mlp_ratio)}`,
    `1 to ${most} numbers for a width of ${embedDim}`,
  );
}

/** Reads `vision_config`; `hiddenSize` is the text model's D. Throws a TypeError that names a key. */
export function visionConfig(given: unknown, style: VisionStyle, hiddenSize: number): VisionConfig {
  if (!isObject(given)) refuse(`"vision_config" is ${short(given)}`, "an object");
  const { defaults, embedDim: embedKey, outDim, windows, mlpWidth, norm, gated } = STYLES[style],
    json: Json = { ...defaults, ...given };
  requirePlainRope(given["rope_parameters"]);
  const unknown = Object.entries(given).find(([key, value]) =>
    !Object.hasOwn(defaults, key) && !HARMLESS.includes(key) && value !== null && value !== false
  );
  if (unknown) refuse(`"vision_config" has "${unknown[0]}", which is not supported`, Object.keys(defaults).join(", "));
  const embedDim = size(json, embedKey), heads = size(json, "num_heads");
  if (embedDim % (4 * heads) !== 0) {
    refuse(`"vision_config" has ${heads} heads for a width of ${embedDim}`, "a head size that is a multiple of 4");
  }
  if (json[outDim] !== hiddenSize) {
    refuse(`"${outDim}" of "vision_config" is ${short(json[outDim])}`, `${hiddenSize}, the text model's hidden_size`);
  }
  const act = json.hidden_act;
  if (!Object.hasOwn(VISION_ACTIVATIONS, String(act))) {
    refuse(`"hidden_act" of "vision_config" is ${short(act)}`, Object.keys(VISION_ACTIVATIONS).join(" or "));
  }
  const depth = size(json, "depth");
  return {
    depth,
    embedDim,
    heads,
    mlpWidth: mlpWidth === "mlp_ratio" ? ratioWidth(json, embedDim) : size(json, mlpWidth),
    patchSize: size(json, "patch_size"),
    temporalPatchSize: size(json, "temporal_patch_size"),
    channels: size({ in_channels: json.in_channels ?? json.in_chans ?? 3 }, "in_channels"),
    mergeSize: size(json, "spatial_merge_size"),
    activation: VISION_ACTIVATIONS[act as keyof typeof VISION_ACTIVATIONS],
    style,
    norm,
    gated,
    window: windows ? windowOf(json, depth) : null,
    initializerRange: positive(json, "initializer_range"),
  };
}

/** transformers from 5 on writes how rows and columns are turned; of these models nothing else is known. */
function requirePlainRope(given: unknown): void {
  if (given === undefined || given === null) return;
  const { rope_theta = VISION_THETA, rope_type = "axial", ...more } = isObject(given) ? given : { given };
  const other = Object.values(more).some((value) => value !== null);
  if (rope_theta === VISION_THETA && (rope_type === "axial" || rope_type === "default") && !other) return;
  refuse(`"rope_parameters" of "vision_config" is ${short(given)}`, `rope_theta ${VISION_THETA} and rope_type axial`);
}

function windowOf(json: Json, depth: number): VisionConfig["window"] {
  const full = json.fullatt_block_indexes, pixels = size(json, "window_size");
  const isBlock = (block: unknown) => Number.isInteger(block) && block as number >= 0 && block as number < MOST.depth;
  if (!Array.isArray(full) || full.length > MOST.depth || !full.every(isBlock)) {
    refuse(
      `"fullatt_block_indexes" of "vision_config" is ${short(full)}`,
      `a list of block numbers below ${MOST.depth}`,
    );
  }
  const side = size(json, "patch_size") * size(json, "spatial_merge_size");
  if (pixels < side) {
    refuse(`"window_size" of "vision_config" is ${pixels}`, `${side} pixels of a merged token at least`);
  }
  return { pixels, full: full.filter((block) => block < depth) };
}

/** The `vision_config` that transformers 4 and 5 load. */
export function visionJson(config: VisionConfig, hiddenSize: number): Json {
  const { style, window } = config, { embedDim, outDim, mlpWidth } = STYLES[style];
  const act = Object.entries(VISION_ACTIVATIONS).find(([, name]) => name === config.activation)![0];
  return {
    model_type: style,
    depth: config.depth,
    [embedDim]: config.embedDim,
    num_heads: config.heads,
    [mlpWidth]: mlpWidth === "mlp_ratio" ? config.mlpWidth / config.embedDim : config.mlpWidth,
    [outDim]: hiddenSize,
    hidden_act: act,
    patch_size: config.patchSize,
    spatial_patch_size: config.patchSize,
    temporal_patch_size: config.temporalPatchSize,
    spatial_merge_size: config.mergeSize,
    in_channels: config.channels,
    in_chans: config.channels,
    ...(window === null
      ? {}
      : { window_size: window.pixels, fullatt_block_indexes: window.full, tokens_per_second: 2 }),
    initializer_range: config.initializerRange,
  };
}

/** Numbers of a patch as the tower reads it. */
export function patchWidth({ channels, temporalPatchSize, patchSize }: VisionConfig): number {
  return channels * temporalPatchSize * patchSize ** 2;
}
