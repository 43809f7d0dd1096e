/** Resizes an image by Pillow's bicubic filter, to the same bytes. @module */

/** Digits after the point of a weight: 8 bits of a byte and 2 of room stay of 32. */
const PRECISION = 22;

/** For each place in the result: where it begins to read, and the weights of what it reads, times 2^22. */
type Weights = readonly (readonly [from: number, weights: Int32Array])[];

/**
 * Pillow's `resize((toWidth, toHeight), BICUBIC)` of 8-bit RGB (libImaging/Resample.c): a = -0.5, spread over as many
 * pixels as one of the result covers, along the rows and along the columns, each rounded to bytes. Which comes first
 * decides bits: from version 13 on the columns do, where the height loses more than twice the pixels that the width does;
 * before, the rows always did, and such an image differs by some levels.
 *
 * rgb      uint8 [height, width, 3]
 * returns  uint8 [toHeight, toWidth, 3]
 */
export function bicubic(
  rgb: Uint8Array,
  width: number,
  height: number,
  toWidth: number,
  toHeight: number,
): Uint8Array {
  const rows = (from: Uint8Array, height: number) =>
    width === toWidth ? from : alongRows(from, width, height, weightsOf(width, toWidth));
  const columns = (from: Uint8Array, width: number) =>
    height === toHeight ? from : alongColumns(from, width, weightsOf(height, toHeight));
  const isTall = height > toHeight && height - toHeight > (width - toWidth) * 2;
  return isTall ? rows(columns(rgb, width), toHeight) : columns(rows(rgb, height), toWidth);
}

function alongRows(rgb: Uint8Array, width: number, height: number, weights: Weights): Uint8Array {
  const resized = new Uint8Array(weights.length * height * 3);
  for (let y = 0, to = 0; y < height; y++) {
    for (const [from, weight] of weights) {
      let red = 1 << PRECISION - 1, green = red, blue = red, at = (y * width + from) * 3;
      for (let j = 0; j < weight.length; j++, at += 3) {
        red += rgb[at]! * weight[j]!;
        green += rgb[at + 1]! * weight[j]!;
        blue += rgb[at + 2]! * weight[j]!;
      }
      resized[to++] = byteOf(red);
      resized[to++] = byteOf(green);
      resized[to++] = byteOf(blue);
    }
  }
  return resized;
}

function alongColumns(rgb: Uint8Array, width: number, weights: Weights): Uint8Array {
  const row = width * 3, resized = new Uint8Array(weights.length * row);
  let to = 0;
  for (const [from, weight] of weights) {
    for (let x = 0; x < row; x++) {
      let sum = 1 << PRECISION - 1;
      for (let j = 0, at = from * row + x; j < weight.length; j++, at += row) sum += rgb[at]! * weight[j]!;
      resized[to++] = byteOf(sum);
    }
  }
  return resized;
}

function byteOf(sum: number): number {
  const value = sum >> PRECISION;
  return value < 0 ? 0 : value > 255 ? 255 : value;
}

function weightsOf(size: number, toSize: number): Weights {
  const scale = size / toSize, spread = Math.max(scale, 1), support = 2 * spread, inverse = 1 / spread;
  return Array.from({ length: toSize }, (_, i) => {
    const center = (i + 0.5) * scale;
    const from = Math.max(0, Math.trunc(center - support + 0.5));
    const to = Math.min(size, Math.trunc(center + support + 0.5));
    const weights = Array.from({ length: to - from }, (_, j) => cubic((j + from - center + 0.5) * inverse));
    const sum = weights.reduce((a, b) => a + b, 0);
    return [from, Int32Array.from(weights, (weight) => fixed(weight / sum))] as const;
  });
}

const fixed = (weight: number) => Math.trunc(weight * (1 << PRECISION) + (weight < 0 ? -0.5 : 0.5));

function cubic(distance: number): number {
  const x = Math.abs(distance), a = -0.5;
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}
