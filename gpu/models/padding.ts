/** From rows of different lengths to the rectangles that graphs take, in sizes that repeat. @module */

/** A list of numbers per row. */
export type Rows = readonly ArrayLike<number>[];

/** The length to pad to: itself up to 8, then multiples of an eighth of the next power of two. */
export function bucketLength(length: number): number {
  const step = Math.max(1, 2 ** Math.ceil(Math.log2(Math.max(length, 1))) / 8);
  return Math.max(step, Math.ceil(length / step) * step);
}

/** The longest row, at least 1. */
export function longest(rows: Rows): number {
  return rows.reduce((most, row) => Math.max(most, row.length), 1);
}

/** Writes rows into int64 [rows, width]; `side` is where the padding goes. */
export function padIds(target: BigInt64Array, rows: Rows, width: number, side: "left" | "right"): void {
  target.fill(0n);
  rows.forEach((row, r) => {
    const start = r * width + (side === "left" ? width - row.length : 0);
    for (let i = 0; i < row.length; i++) target[start + i] = BigInt(row[i]!);
  });
}

/** float32 [rows, width]: 1 on tokens, 0 on the padding at their left. */
export function leftMask(target: Float32Array, rows: Rows, width: number): void {
  rows.forEach((row, r) => {
    target.fill(0, r * width, (r + 1) * width - row.length);
    target.fill(1, (r + 1) * width - row.length, (r + 1) * width);
  });
}

/** Writes rows into float32 [rows, width], zeros at their right. */
export function padFloats(target: Float32Array, rows: Rows, width: number): void {
  target.fill(0);
  rows.forEach((row, r) => target.set(row as ArrayLike<number>, r * width));
}

/** Positions of packed tokens: those of segment 0 follow the prompt, every other segment begins at 0. */
export function placesOf(prompts: Rows, segments: Rows): Float32Array[] {
  return segments.map((row, r) => {
    let place = prompts[r]!.length, before = 0;
    return Float32Array.from(row, (segment) => {
      if (segment !== before) place = 0;
      before = segment;
      return place++;
    });
  });
}

/** The first `lengths[r]` values of each row of a rectangle, as copies. */
export function unpad<Values extends Float32Array | Float64Array>(values: Values, width: number, rows: Rows): Values[] {
  return rows.map(({ length }, r) => values.slice(r * width, r * width + length) as Values);
}
