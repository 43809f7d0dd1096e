/** Rotary position tables: the angle of every position and frequency, with Llama 3's stretching. @module */
import type { ModelConfig } from "./config.ts";

/**
 * Inverse frequencies [headDim / 2], radians per token.
 * Source: transformers `modeling_rope_utils.py`, `_compute_default_rope_parameters` and `_compute_llama3_parameters`.
 */
export function inverseFrequencies(config: ModelConfig): Float64Array {
  const half = config.headDim / 2;
  const plain = Float64Array.from({ length: half }, (_, i) => config.ropeTheta ** (-i / half));
  const scaling = config.ropeScaling;
  if (scaling === null) return plain;
  const { factor, lowFrequencyFactor: low, highFrequencyFactor: high, originalPositions } = scaling;
  return plain.map((frequency) => {
    const wavelength = 2 * Math.PI / frequency;
    if (wavelength > originalPositions / low) return frequency / factor;
    if (wavelength < originalPositions / high) return frequency;
    const smooth = (originalPositions / wavelength - low) / (high - low);
    return (1 - smooth) * frequency / factor + smooth * frequency;
  });
}

/** cos and sin, float32 [positions, headDim / 2] each. */
export function ropeTables(config: ModelConfig, positions: number): { cos: Float32Array; sin: Float32Array } {
  const frequencies = inverseFrequencies(config);
  const half = frequencies.length;
  const cos = new Float32Array(positions * half), sin = new Float32Array(positions * half);
  for (let t = 0; t < positions; t++) {
    frequencies.forEach((frequency, i) => {
      cos[t * half + i] = Math.cos(t * frequency);
      sin[t * half + i] = Math.sin(t * frequency);
    });
  }
  return { cos, sin };
}
