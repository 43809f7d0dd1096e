/**
 * Heads as wide as GroupQueryAttention has a kernel for.
 *
 * A head is two halves, which rotary embedding turns into each other, and what is not rotated; each of the three is filled up
 * with zeros, so that the pairs stay pairs. Zeros add nothing to scores or values: the result is that of the narrow head,
 * given its own scale.
 * @module
 */
import type { Value } from "../onnx/graph.ts";
import { type ModelConfig, rotaryDim } from "../models/config.ts";
import type { RopeTable } from "../models/rope_inputs.ts";

const KERNEL = 16; // Head sizes and rotated sizes that GroupQueryAttention has a kernel for are multiples of this.

type HeadSizes = Pick<ModelConfig, "headDim" | "partialRotary">;

const filled = (size: number) => Math.ceil(size / KERNEL) * KERNEL;

/** The head size of the cache: the model's own where there is a kernel for it. */
export function cacheHeadDim(config: HeadSizes): number {
  const rotated = rotaryDim(config);
  return filled(filled(rotated) + config.headDim - rotated);
}

/** Sizes of the parts of a head, as they are and as they are filled up; equal neighbours are one axis. */
function partsOf(config: HeadSizes): { narrow: readonly number[]; wide: readonly number[] } {
  const rotated = rotaryDim(config), half = filled(rotated) / 2;
  const narrow = [rotated / 2, rotated / 2, config.headDim - rotated];
  const wide = [half, half, cacheHeadDim(config) - 2 * half];
  return narrow[2] === 0 ? { narrow: narrow.slice(0, 2), wide: wide.slice(0, 2) } : { narrow, wide };
}

/** [.., n · headDim] to [.., n · cacheHeadDim]. */
export function widenHeads(x: Value, config: HeadSizes): Value {
  const { narrow, wide } = partsOf(config);
  return resized(x, narrow, wide, (part, have, want) => {
    const none = part.shape.map(() => 0);
    return have === want ? part : part.pad(none, none.with(-1, want - have));
  });
}

/** [.., n · cacheHeadDim] to [.., n · headDim]. */
export function narrowHeads(x: Value, config: HeadSizes): Value {
  const { narrow, wide } = partsOf(config);
  return resized(x, wide, narrow, (part, have, want) => have === want ? part : part.slice([0], [want], [-1]));
}

/** Rotary tables [positions, rotaryDim / 2] as wide as a half; what they say of zeros does not matter. */
export function widenTable({ cos, sin }: RopeTable, config: HeadSizes): RopeTable {
  const rotated = rotaryDim(config), more = (filled(rotated) - rotated) / 2;
  const widen = (table: Value) => (more === 0 ? table : table.pad([0, 0], [0, more]));
  return { cos: widen(cos), sin: widen(sin) };
}

function resized(
  x: Value,
  from: readonly number[],
  to: readonly number[],
  resize: (part: Value, have: number, want: number) => Value,
): Value {
  if (from.every((size, i) => size === to[i])) return x;
  const total = (sizes: readonly number[]) => sizes.reduce((a, b) => a + b);
  const lead = x.shape.slice(0, -1), heads = Number(x.shape.at(-1)) / total(from);
  if (from.length === 2) {
    const halves = x.reshape([...lead, heads, 2, from[0]!]);
    return resize(halves, from[0]!, to[0]!).reshape([...lead, heads * total(to)]);
  }
  const parts = x.reshape([...lead, heads, total(from)]).split(-1, from).map((part, i) =>
    resize(part, from[i]!, to[i]!)
  );
  return parts[0]!.concat(parts.slice(1), -1).reshape([...lead, heads * total(to)]);
}
