/**
 * Matrices of a layout rounded to 8 or 4 bits in blocks: a quarter or an eighth of their memory, for weights that never train.
 *
 *     scale = m / -2^(bits-1), m the number of the block with the largest magnitude, of two the negative one
 *     q = round(w / scale) + 2^(bits-1), at most 2^bits - 1        w' = (q - 2^(bits-1)) · scale
 *
 * So m itself is exact, and |w' - w| ≤ |scale| / 2, but for numbers near -m, which have no step of their own: ≤ |scale|.
 * Source: ONNX Runtime's MatMulNBits without zero points; the scale as in ggml's Q4_0.
 * @module
 */
import { blockOf, blocksOf } from "../onnx/block_quantized.ts";
import type { Runtime, Tensor } from "../ort/runtime.ts";
import { scalesName, weightName } from "./graph_weights.ts";
import type { Layout, PackedParameter, Parameter } from "./layout.ts";

/** How matrices can be stored, and in how many bits; null: as they are. */
export const BITS = { float32: null, int8: 8, int4: 4 } as const;

export type Bits = NonNullable<(typeof BITS)[keyof typeof BITS]>;

/** Bytes of a layout whose matrices are stored so. */
export function quantizedBytes({ packed }: Pick<Layout, "packed">, bits: Bits): number {
  return packed.reduce((sum, { shape: [rows, width], size }) => {
    if (width === undefined) return sum + 4 * size;
    return sum + rows! * blocksOf(width, bits) * (blockOf(width, bits) * bits / 8 + 4);
  }, 0);
}

/** Throws a RangeError where the runtime has no kernels for matrices of few bits. */
export function requireKernels({ device, backend }: Runtime, bits: Bits): void {
  if (device === "cpu" && backend === "ffi") return;
  throw new RangeError(
    `Cannot store weights as int${bits} with device "${device}" and backend "${backend}": only the CPU has kernels for ` +
      "them, by backend ffi; set device: cpu, or weights: float32",
  );
}

interface Stored {
  /** uint8 [out, blocks, block · bits / 8]; rows are filled up to whole blocks by zeros. */
  readonly packed: Tensor;
  /** float32 [out, blocks]. */
  readonly scales: Tensor;
}

export class QuantizedMatrices {
  readonly #stored = new Map<string, Stored>();
  /** The packed matrix of a parameter, and its first row there. */
  readonly #places = new Map<string, { readonly stored: Stored; readonly row: number }>();

  /** Throws a RangeError where the runtime has no kernels for them. */
  constructor(readonly runtime: Runtime, layout: Layout, readonly bits: Bits) {
    requireKernels(runtime, bits);
    for (const matrix of layout.packed) if (matrix.shape.length === 2) this.#add(matrix);
  }

  #add({ name, shape: [rows, width], parts }: PackedParameter): void {
    const { runtime, bits } = this, blocks = blocksOf(width!, bits);
    const stored = {
      packed: runtime.tensor("uint8", [rows!, blocks, blockOf(width!, bits) * bits / 8]),
      scales: runtime.tensor("float32", [rows!, blocks]),
    };
    this.#stored.set(name, stored);
    let row = 0;
    for (const part of parts) {
      this.#places.set(part.name, { stored, row });
      row += part.shape[0]!;
    }
  }

  /** Rounds whole rows of a parameter, from element `from` on. */
  write({ name, shape }: Parameter, values: Float32Array, from: number): void {
    const { stored, row } = this.#places.get(name)!, width = shape[1]!;
    roundRows(values, width, this.#rows(stored, row + from / width));
  }

  /** What is stored of a parameter, as float32 row-major, a fresh array. */
  read({ name, shape, size }: Parameter): Float32Array {
    const { stored, row } = this.#places.get(name)!, values = new Float32Array(size);
    restoreRows(values, shape[1]!, this.#rows(stored, row));
    return values;
  }

  #rows({ packed, scales }: Stored, row: number): Rows {
    return { packed: packed.data as Uint8Array, scales: scales.data as Float32Array, bits: this.bits, row };
  }

  /** Inputs or initializers of graphs for the matrices of `layout`. */
  tensors(layout: Pick<Layout, "packed">): Record<string, Tensor> {
    return Object.fromEntries(layout.packed.flatMap(({ name }) => {
      const stored = this.#stored.get(name);
      return stored ? [[weightName(name), stored.packed], [scalesName(name), stored.scales]] : [];
    }));
  }

  /** The bits of everything that is stored, one array after another. */
  *words(): Generator<Uint32Array> {
    for (const { packed, scales } of this.#stored.values()) {
      for (const { data } of [packed, scales]) yield new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
    }
  }

  release(): void {
    for (const { packed, scales } of this.#stored.values()) {
      packed.release();
      scales.release();
    }
  }
}

/** Rows of a stored matrix, from number `row` on. */
interface Rows {
  readonly packed: Uint8Array;
  readonly scales: Float32Array;
  readonly bits: Bits;
  readonly row: number;
}

function roundRows(values: Float32Array, width: number, { packed, scales, bits, row }: Rows): void {
  const half = 2 ** (bits - 1), most = 2 * half - 1, size = blockOf(width, bits), bytes = size * bits / 8;
  let block = row * blocksOf(width, bits);
  for (let start = 0; start < values.length; start += width) {
    for (let at = start; at < start + width; at += size, block++) {
      const count = Math.min(size, start + width - at), to = block * bytes;
      let high = values[at]!, low = high;
      for (let i = at + 1; i < at + count; i++) {
        const x = values[i]!;
        if (x > high) high = x;
        else if (x < low) low = x;
      }
      // In float32 at every step, as the graph that rounds what trains (`roundingGraph`).
      const scale = Math.fround((high > -low ? high : low) / -half), inverse = scale === 0 ? 0 : Math.fround(1 / scale);
      scales[block] = scale;
      if (count < size) packed.fill(bits === 8 ? half : half | half << 4, to, to + bytes);
      for (let i = 0; i < count; i++) {
        const q = Math.min(most, Math.floor(Math.fround(Math.fround(values[at + i]! * inverse) + (half + 0.5))));
        if (bits === 8) packed[to + i] = q;
        else if (i & 1) packed[to + (i >> 1)] = packed[to + (i >> 1)]! & 15 | q << 4;
        else packed[to + (i >> 1)] = q | half << 4;
      }
    }
  }
}

function restoreRows(values: Float32Array, width: number, { packed, scales, bits, row }: Rows): void {
  const half = 2 ** (bits - 1), size = blockOf(width, bits), bytes = size * bits / 8;
  let block = row * blocksOf(width, bits);
  for (let start = 0; start < values.length; start += width) {
    for (let at = start; at < start + width; at += size, block++) {
      const scale = scales[block]!, from = block * bytes, count = Math.min(size, start + width - at);
      for (let i = 0; i < count; i++) {
        const q = bits === 8 ? packed[from + i]! : packed[from + (i >> 1)]! >> 4 * (i & 1) & 15;
        values[at + i] = (q - half) * scale;
      }
    }
  }
}
