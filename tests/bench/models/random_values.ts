/** Many random bfloat16 values in little time: 16 random bits choose one of 65,536 quantiles. @module */
import { float32ToBfloat16 } from "../../../data/hub/dtypes.ts";

/** Fills `into` with entries of `table`, 65,536 of them, that random bits choose. */
export type Words = (into: Uint16Array, table: Uint16Array) => void;

/** Draws by xorshift32 (Marsaglia 2003): half a second for half a billion. */
export function words(seed: number): Words {
  let state = seed | 0;
  return (into, table) => {
    let x = state;
    for (let i = 0; i < into.length; i++) {
      x ^= x << 13;
      x ^= x >>> 17;
      x ^= x << 5;
      into[i] = table[x >>> 16]!;
    }
    state = x;
  };
}

/** Numbers below `size` of such a stream. */
export function below(seed: number): (size: number) => number {
  let x = seed | 0;
  return (size) => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) % size;
  };
}

/** 65,536 equally likely values of a normal distribution, as bfloat16. */
export function bfloat16Normals(deviation: number): Uint16Array {
  const count = 65_536;
  return float32ToBfloat16(Float32Array.from({ length: count }, (_, i) => deviation * quantile((i + 0.5) / count)));
}

/** The normal quantile, to 5e-4 (Abramowitz and Stegun 26.2.23): enough for values that are rounded to 8 bits. */
function quantile(p: number): number {
  if (p > 0.5) return -quantile(1 - p);
  const t = Math.sqrt(-2 * Math.log(p));
  return (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
}
