/**
 * Rotary position tables: the angle of every position and frequency, stretched as a checkpoint was trained.
 *
 * Rounded to float32 where transformers rounds: at 8,000 tokens the last bit of a frequency is 5e-4 of an angle.
 * Source: transformers modeling_rope_utils.py, ROPE_INIT_FUNCTIONS, and `RotaryEmbedding.forward` of each model.
 * @module
 */
import { type ModelConfig, spectrum } from "./config.ts";
import type { Rope, RopeScaling } from "./rope_config.ts";

const { fround } = Math;

/** What a scaling is made of: `powers` theta^(2i / dim), one per frequency, float32. */
interface Spectrum {
  readonly powers: Float32Array;
  readonly theta: number;
  /** The sequence is longer than the original context. */
  readonly long: boolean;
}

type Stretch<Type extends RopeScaling["type"]> = (
  scaling: Extract<RopeScaling, { type: Type }>,
  spectrum: Spectrum,
) => Float32Array;

/** Inverse frequencies, radians per token, by rope type. */
const STRETCHES: { readonly [Type in RopeScaling["type"]]: Stretch<Type> } = {
  linear: ({ factor }, { powers }) => powers.map((power) => fround(1 / power) / factor),
  /** Theta grows once a sequence is longer than the model's positions; here none is. */
  dynamic: (_, { powers }) => powers.map((power) => 1 / power),
  llama3({ factor, lowFrequencyFactor: low, highFrequencyFactor: high, originalPositions }, { powers }) {
    return powers.map((power) => {
      const frequency = fround(1 / power), wavelength = fround(2 * Math.PI / frequency);
      if (wavelength > originalPositions / low) return frequency / factor;
      if (wavelength < originalPositions / high) return frequency;
      const smooth = fround((originalPositions / wavelength - low) / (high - low));
      return (1 - smooth) * frequency / factor + smooth * frequency;
    });
  },
  /** Frequencies that turn often over the original context stay, those that turn seldom are divided; a ramp between. */
  yarn({ factor, betaFast, betaSlow, originalPositions, truncate }, { powers, theta }) {
    const half = powers.length, dim = 2 * half;
    const turning = (turns: number) =>
      dim * Math.log(originalPositions / (turns * 2 * Math.PI)) / (2 * Math.log(theta));
    const [from, to] = [turning(betaFast), turning(betaSlow)];
    const low = Math.max(truncate ? Math.floor(from) : from, 0);
    const high = Math.min(truncate ? Math.ceil(to) : to, dim - 1), width = high === low ? 0.001 : high - low;
    return powers.map((power, i) => {
      const stretched = Math.min(Math.max((i - low) / width, 0), 1);
      return 1 / (factor * power) * stretched + 1 / power * (1 - stretched);
    });
  },
  longrope({ shortFactors, longFactors }, { powers, long }) {
    const factors = long ? longFactors : shortFactors;
    return powers.map((power, i) => 1 / fround(fround(factors[i]!) * power));
  },
};

/** Inverse frequencies [⌈dim / 2⌉], radians per token; `long`: some sequence is longer than `longFrom`. */
export function inverseFrequencies({ theta, scaling }: Rope, dim: number, long = false): Float32Array {
  const powers = Float32Array.from({ length: Math.ceil(dim / 2) }, (_, i) => theta ** fround(2 * i / dim));
  if (scaling === null) return powers.map((power) => 1 / power);
  return (STRETCHES[scaling.type] as Stretch<RopeScaling["type"]>)(scaling, { powers, theta, long });
}

/** Above this many tokens in its longest sequence a batch is read with other frequencies; Infinity: never. */
export function longFrom({ rope, localRope }: Pick<ModelConfig, "rope" | "localRope">): number {
  const of = (one: Rope | null) => one?.scaling?.type === "longrope" ? one.scaling.originalPositions : Infinity;
  return Math.min(of(rope), of(localRope));
}

/** cos and sin, float32 [positions, rotaryDim / 2] each, times the rope's attention factor. */
export function ropeTables(
  config: Pick<ModelConfig, "headDim" | "partialRotary" | "rope" | "localRope">,
  positions: number,
  { local = false, long = false } = {},
): { cos: Float32Array; sin: Float32Array } {
  const rope = local ? config.localRope! : config.rope;
  const frequencies = inverseFrequencies(rope, spectrum(config), long), half = frequencies.length;
  const factor = rope.scaling && "attentionFactor" in rope.scaling ? rope.scaling.attentionFactor : 1;
  const cos = new Float32Array(positions * half), sin = new Float32Array(positions * half);
  for (let t = 0; t < positions; t++) {
    for (let i = 0; i < half; i++) {
      const angle = fround(t * frequencies[i]!);
      cos[t * half + i] = fround(Math.cos(angle)) * factor;
      sin[t * half + i] = fround(Math.sin(angle)) * factor;
    }
  }
  return { cos, sin };
}
