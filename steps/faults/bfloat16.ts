/** Rounding to bfloat16, in place. @module */

const FLOATS = new Float32Array(1);
const BITS = new Uint32Array(FLOATS.buffer);

/** Rounds every value to the nearest bfloat16, ties to even; the values stay float32. */
export function toBfloat16(values: Float32Array): void {
  for (let i = 0; i < values.length; i++) {
    FLOATS[0] = values[i]!;
    const bits = BITS[0]!;
    BITS[0] = ((bits + 0x7fff + ((bits >>> 16) & 1)) & 0xffff0000) >>> 0;
    values[i] = FLOATS[0]!;
  }
}
