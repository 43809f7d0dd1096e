/**
 * What a decoder-only transformer is, read from a Hugging Face config object: sizes and switches. Graphs read these alone;
 * `FAMILIES` is the one place that knows a `model_type`, for what its config.json leaves unsaid.
 *
 * Left out: mixtures of experts, state spaces, encoders, videos. Each is a one-line error that names the option.
 * @module
 */
import { flag, isObject, type Json, positive, refuse, shown, size } from "./config_json.ts";
import { FAMILIES, type Family, type ModelType } from "./families.ts";
import { ACTIVATIONS, type Features, type LayerKind, PLAIN_FEATURES } from "./features.ts";
import { refuseUnknown } from "./harmless.ts";
import { layerKinds } from "./layer_kinds.ts";
import { type Option, OPTION_NAMES, OPTIONS, refuseUnread } from "./options.ts";
import { readRopes, type Rope, ropeDictionary, sectionsOf, writeRopes } from "./rope_config.ts";
import { type VisionConfig, visionConfig, visionJson } from "./vision_config.ts";

export interface ModelConfig extends Features {
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
  readonly rope: Rope;
  /** Of layers with a window, where they have their own. */
  readonly localRope: Rope | null;
  /** Share of each head that is rotated, its first dimensions. */
  readonly partialRotary: number;
  /** Frequencies that turn with time, row and column of an image; null: positions are places. */
  readonly mropeSection: readonly number[] | null;
  /** The tower that reads images; null: the model reads words alone. */
  readonly vision: VisionConfig | null;
  /** The placeholder of an image's features; null where there is no tower. */
  readonly imageToken: number | null;
  /** Tokens that the model never gives: their log-probs are those of what cannot be. */
  readonly silentTokens: readonly number[];
  /** One per layer. */
  readonly layerKinds: readonly LayerKind[];
  readonly tiedEmbeddings: boolean;
  /** What stands on the hidden states: logits over the vocabulary, or one number (a critic, a reward model). */
  readonly head: "lm" | "scalar";
  /** Standard deviation of random initial matrices. */
  readonly initializerRange: number;
}

/** What is read of every config.json, beside the options; a family reads what it has defaults for, too. */
export const READ = [
  "architectures",
  "head_dim",
  "hidden_act",
  "hidden_activation",
  "hidden_size",
  "id2label",
  "initializer_range",
  "intermediate_size",
  "max_position_embeddings",
  "model_type",
  "num_attention_heads",
  "num_hidden_layers",
  "num_key_value_heads",
  "num_labels",
  "rms_norm_eps",
  "rope_parameters",
  "rope_scaling",
  "rope_theta",
  "tie_word_embeddings",
  "vocab_size",
] as const;

/** How the name of an architecture ends, by head. */
const ARCHITECTURES = { lm: "ForCausalLM", scalar: "ForSequenceClassification" } as const;

/**
 * Leading dimensions of a head that are rotated: `spectrum` is what frequencies are spread over, `rotaryDim` the same as
 * whole pairs (transformers modeling_rope_utils.py: `int(head_dim * factor)`, of which every second has a frequency).
 */
export function spectrum({ headDim, partialRotary }: Pick<ModelConfig, "headDim" | "partialRotary">): number {
  return Math.trunc(headDim * partialRotary);
}
export function rotaryDim(config: Pick<ModelConfig, "headDim" | "partialRotary">): number {
  return 2 * Math.ceil(spectrum(config) / 2);
}

/** A model for classification with one label gives one number: transformers' form of a critic or reward model. */
function headOf(json: Json): ModelConfig["head"] {
  const [architecture] = Array.isArray(json.architectures) ? json.architectures : [];
  if (!/For(Sequence|Token)Classification$/.test(String(architecture))) return "lm";
  const labels = isObject(json.id2label) ? Object.keys(json.id2label).length : json.num_labels ?? 1;
  if (labels !== 1) refuse(`"architectures" is ["${architecture}"] with ${labels} labels`, "1 label (a reward model)");
  return "scalar";
}

function modelTypeOf({ model_type: type }: Json): ModelType {
  if (typeof type === "string" && Object.hasOwn(FAMILIES, type)) return type as ModelType;
  const known = Object.keys(FAMILIES).map((name) => `"${name}"`).join(", ");
  const why = type === "gemma3" ? ", which has a vision tower" : "";
  refuse(`"model_type" is ${shown(type)}${why}`, `one of ${known}`);
}

function activationOf(json: Json, family: Family): Features["activation"] {
  for (const key of ["hidden_act", "hidden_activation"] as const) {
    const value = json[key] ?? (key === family.activationKey ? family.defaults[key] : null);
    if (value !== null && !Object.hasOwn(ACTIVATIONS, String(value))) {
      refuse(`"${key}" is ${shown(value)}`, Object.keys(ACTIVATIONS).map(shown).join(" or "));
    }
  }
  return ACTIVATIONS[json[family.activationKey] as keyof typeof ACTIVATIONS];
}

function featuresOf(json: Json, family: Family, headDim: number, hiddenSize: number): Features {
  const features: Features = {
    ...PLAIN_FEATURES,
    attentionScale: headDim ** -0.5,
    embeddingScale: family.scaledEmbeddings ? Math.sqrt(hiddenSize) : 1,
    activation: activationOf(json, family),
    ...family.fixed,
  };
  return family.options.reduce<Features>((all, name) => {
    const option = OPTIONS[name];
    return "read" in option ? { ...all, ...option.read(json) } : all;
  }, features);
}

/**
 * Reads the object of a Hugging Face config.json.
 * Throws a TypeError that names the first key that is missing, wrong or not supported.
 */
export function modelConfig(whole: unknown): ModelConfig {
  if (!isObject(whole)) refuse(`it holds ${shown(whole) === "missing" ? "nothing" : shown(whole)}`, "an object");
  const modelType = modelTypeOf(whole), family: Family = FAMILIES[modelType], given = textOf(whole, family);
  refuseUnread(given, [...family.options, ...family.ignored ?? []]);
  refuseUnknown(given, new Set([...READ, ...OPTION_NAMES, ...Object.keys(family.defaults)]));
  const json: Json = { ...family.defaults, ...given };
  const heads = size(json, "num_attention_heads"), hiddenSize = size(json, "hidden_size");
  const kvHeads = size({ num_key_value_heads: kvHeadsOf(given, family, heads) }, "num_key_value_heads");
  const headDim = size({ ...json, head_dim: json.head_dim ?? hiddenSize / heads }, "head_dim");
  if (heads % kvHeads !== 0) refuse(`${heads} heads share ${kvHeads} kv heads`, "a multiple");
  if (headDim % 2 !== 0) refuse(`"head_dim" is ${headDim}`, "an even number");
  const partialRotary = partialRotaryOf(json, family), rotated = rotaryDim({ headDim, partialRotary });
  if (rotated === 0) refuse(`"partial_rotary_factor" is ${partialRotary} of ${headDim} dimensions`, "at least one");
  const vision = family.vision ? visionConfig(whole.vision_config, family.vision, hiddenSize) : null;
  const layers = size(json, "num_hidden_layers"), maxPositions = size(json, "max_position_embeddings");
  return {
    ...featuresOf(json, family, headDim, hiddenSize),
    ...readRopes(json, family.rope, { maxPositions, rotaryDim: rotated }),
    modelType,
    vocabSize: size(json, "vocab_size"),
    hiddenSize,
    intermediateSize: size(json, "intermediate_size"),
    layers,
    heads,
    kvHeads,
    headDim,
    maxPositions,
    normEpsilon: positive(json, "rms_norm_eps"),
    partialRotary,
    mropeSection: sectionsOf(json, family.rope, rotated),
    vision,
    ...imageTokensOf(json, vision !== null),
    layerKinds: layerKinds(json, family, layers),
    tiedEmbeddings: flag(json, "tie_word_embeddings", family.defaults.tie_word_embeddings === true),
    head: headOf(json),
    initializerRange: positive(json, "initializer_range"),
  };
}

/** The text's part of the file; `text_config`, where sizes stand in it, and what stands beside it. */
function textOf(whole: Json, family: Family): Json {
  if (!family.vision) return whole;
  const { vision_config: _, text_config: text = {}, ...beside } = whole;
  if (!isObject(text)) refuse(`"text_config" is ${shown(text)}`, "an object");
  return { ...text, ...beside };
}

/** Keys of tokens that stand for what is no text. */
const VISION_TOKENS = [
  "image_token_id",
  "video_token_id",
  "vision_start_token_id",
  "vision_end_token_id",
] as const;

function imageTokensOf(json: Json, hasTower: boolean): Pick<ModelConfig, "imageToken" | "silentTokens"> {
  if (!hasTower) return { imageToken: null, silentTokens: [] };
  const vocabulary = size(json, "vocab_size");
  const ids = VISION_TOKENS.map((key) => {
    const id = json[key];
    if (typeof id === "number" && Number.isInteger(id) && id >= 0 && id < vocabulary) return id;
    return refuse(`"${key}" is ${shown(id)}`, `a token below ${vocabulary}, the size of the vocabulary`);
  });
  return { imageToken: ids[0]!, silentTokens: ids };
}

/** Absent: the family's, or as many as heads where those cannot share it, which transformers would refuse; null: as many. */
function kvHeadsOf(given: Json, { defaults }: Family, heads: number): unknown {
  if (given.num_key_value_heads !== undefined) return given.num_key_value_heads ?? heads;
  const usual = Number(defaults.num_key_value_heads ?? heads);
  return heads % usual === 0 ? usual : heads;
}

/** Stands within the rope or beside it. */
function partialRotaryOf(json: Json, family: Family): number {
  const own = ropeDictionary(json).partial_rotary_factor, value = own ?? json.partial_rotary_factor ?? 1;
  if (typeof value !== "number" || !(value > 0 && value <= 1)) {
    refuse(`"partial_rotary_factor" is ${shown(value)}`, "a number above 0, at most 1");
  }
  if (value !== 1) refuseUnread({ model_type: json.model_type, partial_rotary_factor: value }, family.options);
  return value;
}

/** The object of a config.json that transformers 4 and 5 load; token ids are the caller's (`bos_token_id`, …). */
export function toConfigJson(config: ModelConfig, tokens: Json = {}): Record<string, unknown> {
  const family: Family = FAMILIES[config.modelType], scalar = config.head === "scalar";
  const name = scalar ? family.classifier ?? family.architecture : family.architecture;
  const written = family.options.flatMap((option): [string, unknown][] => {
    const { write }: Option = OPTIONS[option];
    return write ? [[option, write(config)]] : [];
  });
  return {
    architectures: [`${name}${scalar ? ARCHITECTURES.scalar : family.ending ?? ARCHITECTURES.lm}`],
    model_type: config.modelType,
    ...(scalar ? { id2label: { 0: "LABEL_0" }, label2id: { LABEL_0: 0 } } : {}),
    attention_bias: false,
    attention_dropout: 0,
    ...tokens,
    head_dim: config.headDim,
    [family.activationKey]: Object.entries(ACTIVATIONS).find(([, name]) => name === config.activation)![0],
    hidden_size: config.hiddenSize,
    initializer_range: config.initializerRange,
    intermediate_size: config.intermediateSize,
    max_position_embeddings: config.maxPositions,
    num_attention_heads: config.heads,
    num_hidden_layers: config.layers,
    num_key_value_heads: config.kvHeads,
    rms_norm_eps: config.normEpsilon,
    ...writeRopes(config, family.rope),
    ...(config.vision
      ? {
        ...Object.fromEntries(VISION_TOKENS.map((key, i) => [key, config.silentTokens[i]])),
        vision_config: visionJson(config.vision, config.hiddenSize),
      }
      : {}),
    ...Object.fromEntries(written),
    tie_word_embeddings: config.tiedEmbeddings,
    torch_dtype: "float32",
    use_cache: true,
    vocab_size: config.vocabSize,
  };
}
