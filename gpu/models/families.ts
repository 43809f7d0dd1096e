/**
 * What each `model_type` of a config.json leaves unsaid: the one place that knows families by name.
 *
 * Source of every entry: transformers 5.23, models/NAME/configuration_NAME.py for `defaults`, `options` and `slides`,
 * modeling_NAME.py for `fixed`. Graphs never read this table, only the switches of a `ModelConfig` made by it.
 * @module
 */
import type { Json } from "./config_json.ts";
import type { Features } from "./features.ts";
import type { OptionName } from "./options.ts";
import type { RopeFamily } from "./rope_config.ts";
import type { VisionStyle } from "./vision_config.ts";

export interface Family {
  /** What transformers calls a model of it, before `ForCausalLM`. */
  readonly architecture: string;
  /** How the name of a language model of it ends; `ForCausalLM` where absent. */
  readonly ending?: string;
  /** Its vision tower; a model of words alone where absent. Sizes of the text may stand in `text_config`. */
  readonly vision?: VisionStyle;
  /** The same before `ForSequenceClassification`, where that is another name. */
  readonly classifier?: string;
  /** What its configuration class assumes where config.json is silent. */
  readonly defaults: Json;
  /** The options of its configuration class; any other must be at the value that changes nothing. */
  readonly options: readonly OptionName[];
  /** Options of its configuration class that its layers never read, whatever their value. */
  readonly ignored?: readonly OptionName[];
  /** What no option says. */
  readonly fixed: Partial<Features>;
  /** Embeddings are multiplied by the root of the hidden size. */
  readonly scaledEmbeddings?: true;
  readonly rope: RopeFamily;
  /** Which layers have a window where no `layer_types` say it; never where absent. */
  readonly slides?: (json: Json, layer: number) => boolean;
  /** Which key names the activation. */
  readonly activationKey: "hidden_act" | "hidden_activation";
}

const COMMON = {
  max_position_embeddings: 2048,
  initializer_range: 0.02,
  rms_norm_eps: 1e-6,
  rope_theta: 10000,
  tie_word_embeddings: false,
  hidden_act: "silu",
} as const;

const PLAIN = { rope: {}, activationKey: "hidden_act" } as const;

/** Qwen2Config.__post_init__: windows only where they are switched on, from a layer on. */
const QWEN = {
  defaults: {
    ...COMMON,
    num_key_value_heads: 32,
    max_position_embeddings: 32768,
    use_sliding_window: false,
    sliding_window: 4096,
    max_window_layers: 28,
  },
  slides: (json: Json, layer: number) => !!json.sliding_window && layer >= Number(json.max_window_layers),
} as const;

/** Gemma2 and Gemma3TextConfig. */
const GEMMA = {
  defaults: {
    ...COMMON,
    num_key_value_heads: 4,
    head_dim: 256,
    hidden_activation: "gelu_pytorch_tanh",
    tie_word_embeddings: true,
    query_pre_attn_scalar: 256,
    sliding_window: 4096,
  },
  fixed: { normOffset: 1, norms: "both" },
  scaledEmbeddings: true,
  activationKey: "hidden_activation",
} as const;

const isSet = ({ sliding_window }: Json) => sliding_window !== null && sliding_window !== undefined;

/** Qwen2VLTextConfig and Qwen2_5_VLTextConfig: Qwen2, whose positions have three axes. */
const QWEN_VL = {
  ...QWEN,
  activationKey: "hidden_act",
  ending: "ForConditionalGeneration",
  defaults: {
    ...QWEN.defaults,
    rms_norm_eps: 1e-5,
    max_window_layers: 80,
    image_token_id: 151655,
    video_token_id: 151656,
    vision_start_token_id: 151652,
    vision_end_token_id: 151653,
  },
  options: ["use_sliding_window", "sliding_window", "layer_types"],
  fixed: { qkvBias: true },
  rope: { types: ["default"], aliases: { mrope: "default" }, sections: true },
} as const;

export const FAMILIES = {
  qwen2: {
    ...PLAIN,
    ...QWEN,
    architecture: "Qwen2",
    options: ["use_sliding_window", "sliding_window", "layer_types"],
    fixed: { qkvBias: true },
  },
  qwen3: {
    ...PLAIN,
    ...QWEN,
    architecture: "Qwen3",
    defaults: { ...QWEN.defaults, head_dim: 128 },
    options: ["attention_bias", "use_sliding_window", "sliding_window", "layer_types"],
    fixed: { qkNorm: "head" },
  },
  qwen2_vl: { ...QWEN_VL, architecture: "Qwen2VL", vision: "qwen2_vl" },
  qwen2_5_vl: { ...QWEN_VL, architecture: "Qwen2_5_VL", vision: "qwen2_5_vl" },
  /** Also SmolLM2 and whatever else calls itself llama. */
  llama: {
    ...PLAIN,
    architecture: "Llama",
    defaults: COMMON,
    options: ["attention_bias", "mlp_bias"],
    fixed: {},
  },
  mistral: {
    ...PLAIN,
    architecture: "Mistral",
    defaults: { ...COMMON, num_key_value_heads: 8, max_position_embeddings: 131072, sliding_window: 4096 },
    options: ["sliding_window"],
    fixed: {},
    slides: isSet,
  },
  smollm3: {
    ...PLAIN,
    architecture: "SmolLM3",
    defaults: {
      ...COMMON,
      num_key_value_heads: 4,
      max_position_embeddings: 32768,
      rope_theta: 2e6,
      tie_word_embeddings: true,
      use_sliding_window: false,
      no_rope_layer_interval: 4,
    },
    options: ["attention_bias", "mlp_bias", "use_sliding_window", "sliding_window", "layer_types", "no_rope_layers"],
    fixed: {},
    slides: (json, layer) => isSet(json) && !(json.no_rope_layers as readonly unknown[])[layer],
  },
  phi3: {
    ...PLAIN,
    architecture: "Phi3",
    defaults: {
      ...COMMON,
      max_position_embeddings: 4096,
      original_max_position_embeddings: 4096,
      rms_norm_eps: 1e-5,
    },
    options: ["sliding_window", "partial_rotary_factor"],
    fixed: { packedProjections: true },
    rope: { types: ["default", "longrope"], aliases: { su: "longrope", yarn: "longrope" }, originalOutside: true },
    slides: isSet,
  },
  gemma2: {
    ...GEMMA,
    architecture: "Gemma2",
    defaults: {
      ...GEMMA.defaults,
      max_position_embeddings: 8192,
      final_logit_softcapping: 30,
      attn_logit_softcapping: 50,
    },
    options: [
      "attention_bias",
      "sliding_window",
      "layer_types",
      "query_pre_attn_scalar",
      "attn_logit_softcapping",
      "final_logit_softcapping",
    ],
    rope: {},
    slides: (_, layer) => layer % 2 === 0,
  },
  /** Its text model alone. */
  gemma3_text: {
    ...GEMMA,
    architecture: "Gemma3",
    classifier: "Gemma3Text",
    defaults: {
      ...GEMMA.defaults,
      max_position_embeddings: 131072,
      rope_theta: 1e6,
      rope_local_base_freq: 1e4,
      sliding_window_pattern: 6,
    },
    options: [
      "attention_bias",
      "sliding_window",
      "sliding_window_pattern",
      "layer_types",
      "query_pre_attn_scalar",
      "final_logit_softcapping",
      "rope_local_base_freq",
    ],
    // Gemma3Attention keeps it and does not pass it on.
    ignored: ["attn_logit_softcapping"],
    fixed: { ...GEMMA.fixed, qkNorm: "head" },
    rope: { local: true },
    slides: (json, layer) => (layer + 1) % Number(json.sliding_window_pattern) !== 0,
  },
  olmo2: {
    ...PLAIN,
    architecture: "Olmo2",
    defaults: { ...COMMON, rms_norm_eps: 1e-5 },
    options: ["attention_bias"],
    fixed: { qkNorm: "full", norms: "after" },
  },
  granite: {
    ...PLAIN,
    architecture: "Granite",
    defaults: {
      ...COMMON,
      embedding_multiplier: 1,
      attention_multiplier: 1,
      residual_multiplier: 1,
      logits_scaling: 1,
    },
    options: [
      "attention_bias",
      "mlp_bias",
      "embedding_multiplier",
      "attention_multiplier",
      "residual_multiplier",
      "logits_scaling",
    ],
    fixed: {},
  },
} as const satisfies Record<string, Family>;

export type ModelType = keyof typeof FAMILIES;
