/**
 * Products and look-ups by matrices that are stored in blocks of few bits: their shape rules and derivative.
 *
 *     w[n, k] = (q[n, k] - 2^(bits-1)) · scale[n, k / block]        q unsigned, two to a byte where bits is 4, the low half first
 *
 * Source: ONNX Runtime's MatMulNBits and GatherBlockQuantized (docs/ContribOperators.md).
 * @module
 */
import type { GradientRule } from "./derivatives.ts";
import { type Infer, int } from "./infer.ts";
import type { Value } from "./value.ts";

/**
 * Numbers of a row that share a scale: 128 of 8 bits where rows are whole blocks of them, which are read 1.2 to 1.5 times as
 * fast as 32; 32 of 4 bits, whose steps are wide.
 */
export function blockOf(width: number, bits: 4 | 8): number {
  return bits === 8 && width % 128 === 0 ? 128 : 32;
}

/** A matrix [out, in] as it is stored, each row filled up to whole blocks. */
export interface BlockQuantized {
  /** uint8 [out, blocks, block · bits / 8]. */
  readonly packed: Value;
  /** float32 [out, blocks]. */
  readonly scales: Value;
  /** in: numbers of a row. */
  readonly width: number;
  readonly bits: 4 | 8;
}

/** Blocks of a row. */
export function blocksOf(width: number, bits: 4 | 8): number {
  return Math.ceil(width / blockOf(width, bits));
}

/** x [.., in] · wᵀ. With `integers` x too is rounded, to 8 bits per block: faster, where the kernel was given w as constant. */
export function matmulBlocks(x: Value, { packed, scales, width, bits }: BlockQuantized, integers: boolean): Value {
  const [rows] = scales.dims as [number];
  return x.graph.emit("MatMulNBits", [x, packed, scales], {
    N: rows,
    K: width,
    bits,
    block_size: blockOf(width, bits),
    accuracy_level: integers ? 4 : 1,
  });
}

/** Rows of w as float32: ids int64 [..] to [.., in]. */
export function gatherBlocks({ packed, scales, width, bits }: BlockQuantized, ids: Value): Value {
  const [rows, ...rest] = packed.dims as [number, ...number[]], bytes = rest.reduce((a, b) => a * b, 1);
  const flat = packed.reshape([rows, bytes]);
  const wide = ids.graph.emit("GatherBlockQuantized", [flat, ids, scales], {
    gather_axis: 0,
    quantize_axis: 1,
    block_size: blockOf(width, bits),
    bits,
  });
  return width === wide.shape.at(-1) ? wide : wide.slice([0], [width], [-1]);
}

/** The whole matrix as float32 [out, in]. */
export function dequantized(matrix: BlockQuantized): Value {
  const { graph } = matrix.packed, [rows] = matrix.scales.dims as [number];
  return gatherBlocks(matrix, graph.constant(BigInt64Array.from({ length: rows }, (_, i) => BigInt(i)), [rows]));
}

export const matmulNBits: Infer = ([x, packed, scales], attributes) => {
  const n = int(attributes, "N"), k = int(attributes, "K"), bits = int(attributes, "bits");
  const block = int(attributes, "block_size"), want = [n, Math.ceil(k / block), block * bits / 8];
  if (x!.shape.at(-1) !== k) {
    throw new RangeError(`Cannot multiply [${x!.shape}] by [${n},${k}] transposed: want [..,${k}]`);
  }
  if (`${packed!.shape}` !== `${want}` || `${scales!.shape}` !== `${want.slice(0, 2)}`) {
    throw new RangeError(
      `Cannot multiply by blocks [${packed!.shape}] with scales [${scales!.shape}]: want [${want}] and [${
        want.slice(0, 2)
      }]`,
    );
  }
  return { dtype: x!.dtype, shape: [...x!.shape.slice(0, -1), n] };
};

export const gatherBlockQuantized: Infer = ([packed, ids, scales], attributes) => {
  const per = 8 / int(attributes, "bits"), width = Number(packed!.shape[1]) * per;
  if (Number(scales!.shape[1]) * int(attributes, "block_size") !== width || packed!.shape[0] !== scales!.shape[0]) {
    throw new RangeError(`Cannot read blocks [${packed!.shape}] with scales [${scales!.shape}]: the sizes do not fit`);
  }
  return { dtype: scales!.dtype, shape: [...ids!.shape, width] };
};

/** y = x·wᵀ, w frozen: dx = dy·w, for which w is made float32 once more: nothing of it is kept in between. */
export const matmulNBitsGradient: GradientRule = ({ dy, attributes }, _x, packed, scales) => {
  const bits = int(attributes, "bits") as 4 | 8, width = int(attributes, "K");
  // Not before dy is there: it could be made at any time, and those of several products would be there at once.
  return [dy.matmul(dequantized({ packed: packed!, scales: scales!.after([dy]), width, bits })), null, null];
};
