/**
 * Rotary embedding as a config.json describes it: base frequency and what stretches it.
 *
 * transformers 4 writes `rope_theta` and `rope_scaling`, transformers 5 `rope_parameters`; both are read, with the
 * precedence of `RotaryEmbeddingConfigMixin.convert_rope_params_to_dict` (transformers modeling_rope_utils.py).
 * @module
 */
import { flag, isObject, type Json, positive, positiveOrNull, positives, refuse, shown, size } from "./config_json.ts";

/** What a rope type changes; the formulas stand in rope.ts under the same names. */
export type RopeScaling =
  | { readonly type: "linear"; readonly factor: number }
  /** Beyond `max_position_embeddings` alone, which no sequence here is: the plain frequencies. */
  | { readonly type: "dynamic"; readonly factor: number }
  | {
    readonly type: "llama3";
    readonly factor: number;
    readonly lowFrequencyFactor: number;
    readonly highFrequencyFactor: number;
    /** Context length before stretching, tokens. */
    readonly originalPositions: number;
  }
  | {
    readonly type: "yarn";
    readonly factor: number;
    /** Factor of cos and sin. */
    readonly attentionFactor: number;
    /** Rotations over the original context from which on frequencies stay, and up to which they are stretched. */
    readonly betaFast: number;
    readonly betaSlow: number;
    readonly originalPositions: number;
    /** Whether the bounds between the two are rounded to whole dimensions. */
    readonly truncate: boolean;
  }
  | {
    readonly type: "longrope";
    /** A divisor per frequency, for sequences within the original context and beyond it. */
    readonly shortFactors: readonly number[];
    readonly longFactors: readonly number[];
    readonly attentionFactor: number;
    readonly originalPositions: number;
  };

export interface Rope {
  readonly theta: number;
  readonly scaling: RopeScaling | null;
}

type RopeType = RopeScaling["type"] | "default";

/** How a family differs in its rotary embedding. */
export interface RopeFamily {
  /** Layers with a window have frequencies of their own. */
  readonly local?: true;
  /** Only these types. */
  readonly types?: readonly RopeType[];
  /** Other names of a type. */
  readonly aliases?: Readonly<Record<string, RopeType>>;
  /** Positions have three axes, each with a section of the frequencies (`mrope_section`). */
  readonly sections?: true;
  /** `original_max_position_embeddings` stands beside the rope, not within it. */
  readonly originalOutside?: true;
}

/** Sizes that scalings refer to. */
interface RopeSizes {
  readonly maxPositions: number;
  /** Leading dimensions of a head that are rotated. */
  readonly rotaryDim: number;
}

/** Every key of a rope that is read; another one would change numbers unseen. */
const KEYS: ReadonlySet<string> = new Set([
  "rope_type",
  "type",
  "rope_theta",
  "partial_rotary_factor",
  "factor",
  "original_max_position_embeddings",
  "attention_factor",
  "beta_fast",
  "beta_slow",
  "mscale",
  "mscale_all_dim",
  "truncate",
  "low_freq_factor",
  "high_freq_factor",
  "short_factor",
  "long_factor",
  // A note of models whose context was extended by training
  "finetuned",
]);

/** Frequencies of each of the three axes: time, row, column. */
const SECTIONS = "mrope_section";

/** They, which fill half a head; null where the family has none. */
export function sectionsOf(json: Json, family: RopeFamily, rotaryDim: number): readonly number[] | null {
  if (!family.sections) return null;
  const sections = positives(ropeDictionary(json), SECTIONS, 3), sum = sections.reduce((a, b) => a + b);
  if (sections.some((count) => !Number.isInteger(count)) || 2 * sum !== rotaryDim) {
    refuse(`"${SECTIONS}" is [${sections}]`, `three whole numbers whose sum is ${rotaryDim / 2}, half the head size`);
  }
  return sections;
}

/** The one dictionary that holds the rope, `rope_scaling` before `rope_parameters`. */
export function ropeDictionary(json: Json): Json {
  for (const key of ["rope_scaling", "rope_parameters"]) {
    const given = json[key];
    if (given !== undefined && given !== null && !isObject(given)) refuse(`"${key}" is ${shown(given)}`, "an object");
  }
  const scaling = json.rope_scaling;
  if (isObject(scaling) && Object.keys(scaling).length > 0) return scaling;
  return isObject(json.rope_parameters) ? json.rope_parameters : {};
}

/** Reads the rope of all layers, and that of layers with a window where the family has one. */
export function readRopes(json: Json, family: RopeFamily, sizes: RopeSizes): { rope: Rope; localRope: Rope | null } {
  if (!family.local) {
    return { rope: ropeOf(json, ropeDictionary(json), family, sizes), localRope: null };
  }
  // transformers models/gemma3/configuration_gemma3.py, Gemma3TextConfig.convert_rope_params_to_dict
  const parameters = isObject(json.rope_parameters) ? json.rope_parameters : {};
  const kinds = ["full_attention", "sliding_attention"];
  const loose = Object.keys(parameters).find((key) => !kinds.includes(key));
  if (loose) refuse(`"rope_parameters" has "${loose}" for all layers`, `${kinds.join(" and ")} apart`);
  const [full, sliding] = kinds.map((kind): Json => isObject(parameters[kind]) ? parameters[kind] : {});
  const scaled = { ...full, ...(isObject(json.rope_scaling) ? json.rope_scaling : {}) };
  const local = { rope_theta: json.rope_local_base_freq, ...sliding };
  return {
    rope: ropeOf(json, scaled, family, sizes),
    localRope: ropeOf(json, local, family, sizes),
  };
}

/** `json` is the whole file, `own` what it says of this rope, which comes first. */
function ropeOf(json: Json, own: Json, family: RopeFamily, sizes: RopeSizes): Rope {
  const unknown = Object.keys(own).find((key) => !KEYS.has(key) && !(family.sections && key === SECTIONS));
  if (unknown) refuse(`the rope has "${unknown}", which is not supported`, [...KEYS].join(", "));
  return { theta: positive({ ...json, ...own }, "rope_theta"), scaling: scalingOf(json, own, family, sizes) };
}

function scalingOf(json: Json, own: Json, family: RopeFamily, sizes: RopeSizes): RopeScaling | null {
  const named = own.rope_type ?? own.type ?? "default", type = family.aliases?.[String(named)] ?? named;
  const known: readonly unknown[] = family.types ?? ["default", ...Object.keys(SCALINGS)];
  if (!known.includes(type)) {
    refuse(`rope type ${shown(named)} is not supported`, known.map((name) => `"${name}"`).join(", "));
  }
  if (type === "default") return null;
  const original = family.originalOutside ? json : { original_max_position_embeddings: sizes.maxPositions, ...own };
  return SCALINGS[type as RopeScaling["type"]].read(own, size(original, "original_max_position_embeddings"), sizes);
}

interface ScalingForm<Scaling extends RopeScaling> {
  read(own: Json, originalPositions: number, sizes: RopeSizes): Scaling;
  write(scaling: Scaling): Json;
}

/** One entry per rope type: its keys in config.json, both ways. */
const SCALINGS: { readonly [Type in RopeScaling["type"]]: ScalingForm<Extract<RopeScaling, { type: Type }>> } = {
  linear: {
    read: (own) => ({ type: "linear", factor: positive(own, "factor") }),
    write: ({ factor }) => ({ factor }),
  },
  dynamic: {
    read: (own) => ({ type: "dynamic", factor: positive(own, "factor") }),
    write: ({ factor }) => ({ factor }),
  },
  llama3: {
    read: (own, originalPositions) => ({
      type: "llama3",
      factor: positive(own, "factor"),
      lowFrequencyFactor: positive(own, "low_freq_factor"),
      highFrequencyFactor: positive(own, "high_freq_factor"),
      originalPositions,
    }),
    write: (scaling) => ({
      factor: scaling.factor,
      low_freq_factor: scaling.lowFrequencyFactor,
      high_freq_factor: scaling.highFrequencyFactor,
      original_max_position_embeddings: scaling.originalPositions,
    }),
  },
  yarn: {
    read(own, originalPositions, { maxPositions }) {
      const factor = positiveOrNull(own, "factor") ?? maxPositions / originalPositions;
      return {
        type: "yarn",
        factor,
        attentionFactor: positiveOrNull(own, "attention_factor") ?? yarnAttentionFactor(own, factor),
        betaFast: positiveOrNull(own, "beta_fast") ?? 32,
        betaSlow: positiveOrNull(own, "beta_slow") ?? 1,
        originalPositions,
        truncate: flag(own, "truncate", true),
      };
    },
    write: (scaling) => ({
      factor: scaling.factor,
      attention_factor: scaling.attentionFactor,
      beta_fast: scaling.betaFast,
      beta_slow: scaling.betaSlow,
      original_max_position_embeddings: scaling.originalPositions,
      ...(scaling.truncate ? {} : { truncate: false }),
    }),
  },
  longrope: {
    read(own, originalPositions, { maxPositions, rotaryDim }) {
      const factor = positiveOrNull(own, "factor") ?? maxPositions / originalPositions;
      const spread = factor <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(originalPositions));
      return {
        type: "longrope",
        shortFactors: positives(own, "short_factor", rotaryDim / 2),
        longFactors: positives(own, "long_factor", rotaryDim / 2),
        attentionFactor: positiveOrNull(own, "attention_factor") ?? spread,
        originalPositions,
      };
    },
    write: (scaling) => ({
      short_factor: scaling.shortFactors,
      long_factor: scaling.longFactors,
      attention_factor: scaling.attentionFactor,
      original_max_position_embeddings: scaling.originalPositions,
    }),
  },
};

/** Source: transformers modeling_rope_utils.py `_compute_yarn_parameters`, get_mscale. */
function yarnAttentionFactor(own: Json, factor: number): number {
  const of = (mscale: number) => (factor <= 1 ? 1 : 0.1 * mscale * Math.log(factor) + 1);
  const mscale = positiveOrNull(own, "mscale"), all = positiveOrNull(own, "mscale_all_dim");
  return mscale && all ? of(mscale) / of(all) : of(1);
}

function scalingJson(scaling: RopeScaling): Json {
  const { write } = SCALINGS[scaling.type] as ScalingForm<RopeScaling>;
  return { rope_type: scaling.type, ...write(scaling) };
}

/** The keys of a config.json that transformers 4 and 5 read (a scaled local rope: transformers 5). */
export function writeRopes(
  { rope, localRope, mropeSection: sections }: {
    readonly rope: Rope;
    readonly localRope: Rope | null;
    readonly mropeSection: readonly number[] | null;
  },
  family: RopeFamily,
): Json {
  if (sections) return { rope_theta: rope.theta, rope_scaling: { type: "mrope", [SECTIONS]: sections } };
  const { scaling } = rope, outside = family.originalOutside && scaling && "originalPositions" in scaling;
  const plain = {
    rope_theta: rope.theta,
    rope_scaling: scaling && scalingJson(scaling),
    ...(outside ? { original_max_position_embeddings: scaling.originalPositions } : {}),
  };
  if (!localRope) return plain;
  if (!localRope.scaling) return { ...plain, rope_local_base_freq: localRope.theta };
  const nested = ({ theta, scaling }: Rope) => ({
    rope_theta: theta,
    ...(scaling ? scalingJson(scaling) : { rope_type: "default" }),
  });
  return { rope_parameters: { full_attention: nested(rope), sliding_attention: nested(localRope) } };
}
