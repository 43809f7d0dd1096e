/**
 * What a decoder-only transformer is, read from a Hugging Face config object: sizes and switches. Graphs read these alone;
 * FAMILIES is the one place that knows a `model_type`, for what its config.json leaves unsaid.
 *
 * Left out: sliding windows, mixtures of experts, output-projection and MLP biases, other activations than SiLU,
 * rope scalings other than llama3. Each is a one-line error.
 * @module
 */

/** Llama 3's stretched rotary frequencies (transformers `_compute_llama3_parameters`). */
interface RopeScaling {
  readonly factor: number;
  readonly lowFrequencyFactor: number;
  readonly highFrequencyFactor: number;
  /** Context length before stretching, tokens. */
  readonly originalPositions: number;
}

export interface ModelConfig {
  readonly modelType: ModelType;
  readonly vocabSize: number;
  /** D, the width of the residual stream. */
  readonly hiddenSize: number;
  readonly intermediateSize: number;
  readonly layers: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  /** Longest sequence, prompt and completion together, tokens. */
  readonly maxPositions: number;
  readonly normEpsilon: number;
  readonly ropeTheta: number;
  readonly ropeScaling: RopeScaling | null;
  readonly qkvBias: boolean;
  readonly qkNorm: boolean;
  readonly tiedEmbeddings: boolean;
  /** What stands on the hidden states: logits over the vocabulary, or one number (a critic, a reward model). */
  readonly head: "lm" | "scalar";
  /** Standard deviation of random initial matrices. */
  readonly initializerRange: number;
}

interface Family {
  /** What transformers calls a model of it, before `ForCausalLM`. */
  readonly architecture: string;
  readonly qkvBias: boolean;
  readonly qkNorm: boolean;
  /** What transformers assumes when `tie_word_embeddings` is absent. */
  readonly tied: boolean;
}

/** What each `model_type` fixes without saying so in its config.json. */
const FAMILIES = {
  qwen2: { architecture: "Qwen2", qkvBias: true, qkNorm: false, tied: false },
  qwen3: { architecture: "Qwen3", qkvBias: false, qkNorm: true, tied: false },
  llama: { architecture: "Llama", qkvBias: false, qkNorm: false, tied: false },
} as const satisfies Record<string, Family>;

/** How the name of an architecture ends, by head. */
const ARCHITECTURES = { lm: "ForCausalLM", scalar: "ForSequenceClassification" } as const;

type ModelType = keyof typeof FAMILIES;

type Json = Readonly<Record<string, unknown>>;

function refuse(found: string, want: string): never {
  throw new TypeError(`Cannot read config.json: ${found}, want ${want}`);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function positive(json: Json, key: string, fallback?: number): number {
  const value = json[key] ?? fallback;
  if (typeof value !== "number" || !(value > 0)) {
    refuse(`"${key}" is ${JSON.stringify(value) ?? "missing"}`, "a positive number");
  }
  return value;
}

/** Beyond the sizes of any model that is published: above them nothing is computed, also not a layout. */
const MOST: Readonly<Record<string, number>> = {
  num_hidden_layers: 1000,
  num_attention_heads: 4096,
  num_key_value_heads: 4096,
  head_dim: 4096,
  hidden_size: 2 ** 17,
  intermediate_size: 2 ** 20,
  vocab_size: 2 ** 24,
  max_position_embeddings: 2 ** 24,
};

function size(json: Json, key: string, fallback?: number): number {
  const value = positive(json, key, fallback);
  if (!Number.isInteger(value)) refuse(`"${key}" is ${value}`, "a whole number");
  const most = MOST[key] ?? Infinity;
  if (value > most) refuse(`"${key}" is ${value}`, `at most ${most}`);
  return value;
}

/** transformers 4 writes `rope_theta` and `rope_scaling`, transformers 5 `rope_parameters`. */
function rope(json: Json): { theta: number; scaling: RopeScaling | null } {
  const parameters = isObject(json.rope_parameters) ? json.rope_parameters : {};
  const scaling = isObject(json.rope_scaling) ? json.rope_scaling : parameters;
  const theta = positive({ ...json, ...parameters }, "rope_theta", 10000);
  const type = scaling.rope_type ?? scaling.type ?? "default";
  if (type === "default") return { theta, scaling: null };
  if (type !== "llama3") refuse(`rope type "${type}" is not supported`, '"default" or "llama3"');
  return {
    theta,
    scaling: {
      factor: positive(scaling, "factor"),
      lowFrequencyFactor: positive(scaling, "low_freq_factor"),
      highFrequencyFactor: positive(scaling, "high_freq_factor"),
      originalPositions: size(scaling, "original_max_position_embeddings"),
    },
  };
}

/** A model for classification with one label gives one number: transformers' form of a critic or reward model. */
function headOf(json: Json): ModelConfig["head"] {
  const [architecture] = Array.isArray(json.architectures) ? json.architectures : [];
  if (!/For(Sequence|Token)Classification$/.test(String(architecture))) return "lm";
  const labels = isObject(json.id2label) ? Object.keys(json.id2label).length : json.num_labels ?? 1;
  if (labels !== 1) refuse(`"architectures" is ["${architecture}"] with ${labels} labels`, "1 label (a reward model)");
  return "scalar";
}

/**
 * Reads the object of a Hugging Face config.json.
 * Throws a TypeError that names the first key that is missing, wrong or not supported.
 */
export function modelConfig(json: unknown): ModelConfig {
  if (!isObject(json)) refuse(`it holds ${JSON.stringify(json) ?? "nothing"}`, "an object");
  const known = Object.keys(FAMILIES).map((name) => `"${name}"`).join(", ");
  const modelType = json.model_type;
  if (typeof modelType !== "string" || !Object.hasOwn(FAMILIES, modelType)) {
    refuse(`"model_type" is ${JSON.stringify(modelType) ?? "missing"}`, `one of ${known}`);
  }
  const family: Family = FAMILIES[modelType as ModelType];
  for (const key of ["use_sliding_window", "attention_bias", "mlp_bias", "quantization_config", "num_experts"]) {
    if (json[key]) refuse(`"${key}" is ${JSON.stringify(json[key])}, which is not supported`, "false or absent");
  }
  const activation = json.hidden_act ?? "silu";
  if (activation !== "silu") refuse(`"hidden_act" is ${JSON.stringify(activation)}`, '"silu"');
  const heads = size(json, "num_attention_heads");
  const kvHeads = size(json, "num_key_value_heads", heads);
  const hiddenSize = size(json, "hidden_size");
  const headDim = size(json, "head_dim", hiddenSize / heads);
  if (heads % kvHeads !== 0) refuse(`${heads} heads share ${kvHeads} kv heads`, "a multiple");
  if (headDim % 2 !== 0) refuse(`"head_dim" is ${headDim}`, "an even number");
  const { theta, scaling } = rope(json);
  return {
    modelType: modelType as ModelType,
    vocabSize: size(json, "vocab_size"),
    hiddenSize,
    intermediateSize: size(json, "intermediate_size"),
    layers: size(json, "num_hidden_layers"),
    heads,
    kvHeads,
    headDim,
    maxPositions: size(json, "max_position_embeddings", 2048),
    normEpsilon: positive(json, "rms_norm_eps", 1e-6),
    ropeTheta: theta,
    ropeScaling: scaling,
    qkvBias: family.qkvBias,
    qkNorm: family.qkNorm,
    tiedEmbeddings: typeof json.tie_word_embeddings === "boolean" ? json.tie_word_embeddings : family.tied,
    head: headOf(json),
    initializerRange: positive(json, "initializer_range", 0.02),
  };
}

/** The object of a config.json that transformers 4 and 5 load; token ids are the caller's (`bos_token_id`, …). */
export function toConfigJson(config: ModelConfig, tokens: Json = {}): Record<string, unknown> {
  const scaling = config.ropeScaling;
  return {
    architectures: [`${FAMILIES[config.modelType].architecture}${ARCHITECTURES[config.head]}`],
    model_type: config.modelType,
    ...(config.head === "scalar" ? { id2label: { 0: "LABEL_0" }, label2id: { LABEL_0: 0 } } : {}),
    attention_bias: false,
    attention_dropout: 0,
    ...tokens,
    head_dim: config.headDim,
    hidden_act: "silu",
    hidden_size: config.hiddenSize,
    initializer_range: config.initializerRange,
    intermediate_size: config.intermediateSize,
    max_position_embeddings: config.maxPositions,
    num_attention_heads: config.heads,
    num_hidden_layers: config.layers,
    num_key_value_heads: config.kvHeads,
    rms_norm_eps: config.normEpsilon,
    rope_scaling: scaling && {
      rope_type: "llama3",
      factor: scaling.factor,
      low_freq_factor: scaling.lowFrequencyFactor,
      high_freq_factor: scaling.highFrequencyFactor,
      original_max_position_embeddings: scaling.originalPositions,
    },
    rope_theta: config.ropeTheta,
    tie_word_embeddings: config.tiedEmbeddings,
    torch_dtype: "float32",
    use_cache: true,
    vocab_size: config.vocabSize,
  };
}
