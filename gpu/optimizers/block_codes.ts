/**
 * Moments as one byte per number: blocks of 256 numbers, each with a scale, its largest magnitude.
 *
 * Codes are as far apart everywhere, relatively: the k-th below the scale is scale · ratio^-k, and 0 is 0. A first moment has
 * 127 of them on each side of 0 over 7 orders of magnitude, a second one, which is never negative, 255 over 12.
 * Between two codes a dither decides, in proportion to how near each is: a sequence that is even over updates, so that
 * the mean over updates is the number itself. The nearest code would keep an average where it is once an update changes it by
 * less than half a step; a random one would let it stray. A second moment above 0 stays so: it divides.
 * Source: Dettmers et al., "8-bit Optimizers via Block-wise Quantization", section 2: blocks and a map that is not linear;
 * theirs has 64 steps in the first order of magnitude, half as many in each further one (bitsandbytes `create_dynamic_map`).
 * @module
 */
import type { Value } from "../onnx/graph.ts";

export const BLOCK = 256;

/** A moment in codes: uint8 [P], and float32 [P / BLOCK], with P a multiple of BLOCK. */
interface Codes {
  readonly codes: Value;
  readonly scales: Value;
}

export type Moment = "m" | "v";

/** The code of 0 and the codes on each side of it. */
export const CODES: Record<Moment, { readonly zero: number; readonly steps: number; readonly decades: number }> = {
  m: { zero: 127, steps: 127, decades: 7 },
  v: { zero: 0, steps: 255, decades: 12 },
};

const LEAST_SCALE = 1e-36; // Below it a block is 0: its inverse would not be finite.

/** Elements that codes of so many numbers take. */
export function paddedSize(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

/** The logarithm of the ratio of two codes. */
export function stepOf(moment: Moment): number {
  return CODES[moment].decades * Math.LN10 / (CODES[moment].steps - 1);
}

/** What codes stand for, float32 [size]. */
export function decoded({ codes, scales }: Codes, moment: Moment, size: number): Value {
  const { zero, steps } = CODES[moment], padded = codes.dims[0]!, places = codes.cast("float32").sub(zero);
  const share = places.abs().sub(steps).mul(stepOf(moment)).exp().mul(places.sign());
  const all = share.reshape([padded / BLOCK, BLOCK]).mul(scales.reshape([padded / BLOCK, 1])).reshape([padded]);
  return size === padded ? all : all.slice([0], [size], [0]);
}

/**
 * Codes of numbers.
 *
 * x        float32 [N], finite; of v not negative
 * dither   float32 [P] in [0, 1)
 */
export function encoded(x: Value, moment: Moment, dither: Value): Codes {
  const { zero, steps } = CODES[moment], step = stepOf(moment);
  const [padded] = dither.dims as [number], [size] = x.dims as [number];
  const blocks = (size === padded ? x : x.pad([0], [padded - size])).reshape([padded / BLOCK, BLOCK]);
  const most = blocks.abs().reduceMax(1), isThere = most.greater(LEAST_SCALE), scales = isThere.where(most, 0);
  const signed = blocks.mul(isThere.where(most.reciprocal(), 0)).reshape([padded]), share = signed.abs();
  const place = share.log().mul(1 / step).add(steps).clip(0, steps), below = place.cast("uint8").cast("float32");
  // How near the next code is: the number less the code below, of the distance of the two; below the first, of the code.
  const between = place.sub(below).mul(step).exp().sub(1).mul(1 / (Math.exp(step) - 1));
  const chance = below.greater(0).where(between, share.mul(Math.exp((steps - 1) * step)));
  const code = below.add(dither.less(chance).cast("float32")).min(steps);
  const codes = moment === "m" ? code.mul(signed.sign()).add(zero) : share.greater(0).where(code.max(1), 0);
  return { codes: codes.cast("uint8"), scales: scales.reshape([padded / BLOCK]) };
}

/** What decides between two codes: of element i at update t the fraction of the sum of i and t times two irrational numbers. */
export function ditherRamp(size: number): Float32Array {
  return Float32Array.from({ length: size }, (_, i) => (i * GOLDEN) % 1);
}
export function ditherShift(update: number): number {
  return (update * PLASTIC) % 1;
}
const GOLDEN = 0.618_033_988_75, PLASTIC = 0.754_877_666_25;
