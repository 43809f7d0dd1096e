/**
 * The options of a config.json that change numbers: what each means, how it is written back, and at which values it
 * changes nothing. A family reads those it declares; any other must stand at a neutral value, or the file is refused.
 *
 * What becomes of every other key: one that is neither read nor harmless (harmless.ts) is refused, unless its value is
 * null, false, a text, or empty.
 * @module
 */
import { flag, type Json, positive, positiveOrNull, refuse, short, shown } from "./config_json.ts";
import type { Features, LayerKind } from "./features.ts";
import type { Rope } from "./rope_config.ts";

/** What of a model options are written from. */
interface Written extends Features {
  readonly layerKinds: readonly LayerKind[];
  readonly localRope: Rope | null;
  readonly partialRotary: number;
}

export interface Option {
  /** Values that change nothing; absent counts as one. */
  readonly neutral: readonly unknown[];
  /** Features it sets; absent where layers or rope read it (layer_kinds.ts, rope_config.ts). */
  readonly read?: (json: Json) => Partial<Features>;
  /** Absent where another key says the same. */
  readonly write?: (config: Written) => unknown;
}

const windows = ({ layerKinds }: Written) => layerKinds.flatMap(({ window }) => window ?? []);
const layerType = ({ window }: LayerKind) => (window === null ? "full_attention" : "sliding_attention");

export const OPTIONS = {
  attention_bias: {
    neutral: [false],
    read: (json) => ({ qkvBias: flag(json, "attention_bias"), outputBias: flag(json, "attention_bias") }),
    write: ({ outputBias }) => outputBias,
  },
  mlp_bias: {
    neutral: [false],
    read: (json) => ({ mlpBias: flag(json, "mlp_bias") }),
    write: ({ mlpBias }) => mlpBias,
  },
  use_sliding_window: { neutral: [false], write: (config) => windows(config).length > 0 },
  sliding_window: { neutral: [null], write: (config) => windows(config)[0] ?? null },
  sliding_window_pattern: { neutral: [null] },
  layer_types: { neutral: [null], write: ({ layerKinds }) => layerKinds.map(layerType) },
  no_rope_layers: { neutral: [null], write: ({ layerKinds }) => layerKinds.map(({ rope }) => Number(rope !== null)) },
  rope_local_base_freq: { neutral: [null] },
  partial_rotary_factor: { neutral: [1], write: ({ partialRotary }) => partialRotary },
  query_pre_attn_scalar: {
    neutral: [null],
    read: (json) => ({ attentionScale: positive(json, "query_pre_attn_scalar") ** -0.5 }),
    // transformers wants a whole number.
    write: ({ attentionScale }) => Math.round(attentionScale ** -2),
  },
  attn_logit_softcapping: {
    neutral: [null],
    read: (json) => ({ attentionSoftcap: positiveOrNull(json, "attn_logit_softcapping") }),
    write: ({ attentionSoftcap }) => attentionSoftcap,
  },
  final_logit_softcapping: {
    neutral: [null],
    read: (json) => ({ logitsSoftcap: positiveOrNull(json, "final_logit_softcapping") }),
    write: ({ logitsSoftcap }) => logitsSoftcap,
  },
  embedding_multiplier: {
    neutral: [1],
    read: (json) => ({ embeddingScale: positive(json, "embedding_multiplier") }),
    write: ({ embeddingScale }) => embeddingScale,
  },
  attention_multiplier: {
    neutral: [null],
    read: (json) => ({ attentionScale: positive(json, "attention_multiplier") }),
    write: ({ attentionScale }) => attentionScale,
  },
  residual_multiplier: {
    neutral: [1],
    read: (json) => ({ residualScale: positive(json, "residual_multiplier") }),
    write: ({ residualScale }) => residualScale,
  },
  logits_scaling: {
    neutral: [1],
    read: (json) => ({ logitsDivisor: positive(json, "logits_scaling") }),
    write: ({ logitsDivisor }) => logitsDivisor,
  },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof OPTIONS;

/**
 * Options of other models of transformers that change numbers and that no graph here has. Dropout is none of them: it is
 * never applied to a model's own layers.
 */
const ABSENT: Readonly<Record<string, readonly unknown[]>> = {
  quantization_config: [null],
  compression_config: [null],
  // Mixtures of experts
  num_experts: [null, 0],
  num_local_experts: [null, 0],
  n_routed_experts: [null, 0],
  moe_num_experts: [null, 0],
  num_experts_per_tok: [null, 0],
  moe_intermediate_size: [null, 0],
  // State spaces, linear attention, layers of several kinds
  layers_block_type: [null],
  mamba_d_state: [null],
  ssm_cfg: [null],
  linear_num_key_heads: [null, 0],
  attn_layer_indices: [null],
  // Encoders, and what sees the future
  is_encoder_decoder: [false],
  add_cross_attention: [false],
  cross_attention_layers: [null],
  use_bidirectional_attention: [false, null],
  is_causal: [true, null],
  vision_config: [null],
  audio_config: [null],
  // Layers that differ from the rest of the file
  per_layer_config: [null],
  // Attention
  alibi: [false],
  use_alibi: [false],
  position_embedding_type: [null, "rope", "rotary"],
  rope_interleaved: [false, null],
  rope_interleave: [false, null],
  mrope_section: [null],
  use_mrope: [false],
  attention_chunk_size: [null],
  // Gemma 2 says its window twice
  sliding_window_size: [4096, null],
  // Phi-4-mini
  full_attn_mod: [1],
  interpolate_factor: [1],
  attn_temperature_tuning: [false, null],
  attn_output_gate: [false, null],
  clip_qkv: [null],
  qk_layernorm: [false],
  use_qk_norm: [false],
  use_qkv_bias: [false],
  qkv_bias: [false],
  attention_sinks: [null, false],
  kv_lora_rank: [null],
  q_lora_rank: [null],
  num_kv_shared_layers: [null, 0],
  // Residual stream, MLP and head
  parallel_attn: [false],
  use_parallel_residual: [false],
  hidden_size_per_layer_input: [null, 0],
  logit_scale: [null, 1],
  scale_emb: [null, 1],
  scale_depth: [null],
  dim_model_base: [null],
  lm_head_bias: [false],
  lm_head_multiplier: [null, 1],
  normalize_embedding: [false, null],
};

/** Every option that is looked at, read or not. */
export const OPTION_NAMES: readonly string[] = [...Object.keys(OPTIONS), ...Object.keys(ABSENT)];

/** Throws for the first option that would change numbers and is not among those that are read. */
export function refuseUnread(json: Json, read: readonly OptionName[]): void {
  const unread = Object.entries(OPTIONS).filter(([name]) => !read.includes(name as OptionName));
  const neutrals = { ...ABSENT, ...Object.fromEntries(unread.map(([name, { neutral }]) => [name, neutral])) };
  for (const [name, neutral] of Object.entries(neutrals)) {
    const value = json[name];
    if (value === undefined || (neutral as readonly unknown[]).includes(value)) continue;
    if (name === "layer_types" && Array.isArray(value) && value.every((type) => type === "full_attention")) continue;
    refuse(
      `"${name}" is ${short(value)}, which is not supported for "model_type": ${shown(json.model_type)}`,
      [...neutral.map(shown), "absent"].join(" or "),
    );
  }
}
