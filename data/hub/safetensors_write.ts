/** Writes a safetensors file: float32 tensors, as float32, float16 or bfloat16, one at a time. @module */
import { type DtypeName, DTYPES, float32ToBfloat16 } from "./dtypes.ts";
import { writeChunks } from "./atomic_write.ts";

/** A tensor to write: `data` has as many elements as `shape` says. */
export interface TensorData {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

type FloatName = "F32" | "F16" | "BF16";

const STORED = {
  F32: (data) => data,
  F16: (data) => new Float16Array(data),
  BF16: float32ToBfloat16,
} satisfies Record<FloatName, (data: Float32Array) => ArrayBufferView>;

interface WriteOptions {
  readonly dtype?: FloatName;
  /** Kept in the header; transformers wants `format: "pt"`, the default. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * Writes a new file into a folder that is itself renamed when complete; returns its bytes. Tensors stand in the order
 * of the map.
 */
export function writeSafetensors(
  path: string,
  tensors: ReadonlyMap<string, TensorData>,
  options: WriteOptions = {},
): number {
  return writeChunks(path, safetensorsChunks(tensors, options));
}

/** Elements converted at once: a tensor and its converted copy need not be there together. */
const PIECE = 1 << 20;

/** The file's bytes, in order: length, header (padded with spaces to 8 bytes), the tensors in pieces. */
export function* safetensorsChunks(
  tensors: ReadonlyMap<string, TensorData>,
  { dtype = "F32", metadata = { format: "pt" } }: WriteOptions = {},
): Generator<Uint8Array> {
  const size = DTYPES[dtype satisfies DtypeName].bytes,
    elementsOf = ({ shape }: TensorData) => shape.reduce((a, b) => a * b, 1);
  const header: [string, unknown][] = [["__metadata__", metadata]];
  let offset = 0;
  for (const [name, tensor] of tensors) {
    if (name === "__metadata__") throw new RangeError(`Cannot write tensor "${name}": the name is taken by the format`);
    const end = offset + elementsOf(tensor) * size;
    header.push([name, { dtype, shape: tensor.shape, data_offsets: [offset, end] }]);
    offset = end;
  }
  // Built entry by entry: an object would put names like "1" first.
  const text = `{${header.map(([name, entry]) => `${JSON.stringify(name)}:${JSON.stringify(entry)}`).join(",")}}`;
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(8 + Math.ceil(bytes.length / 8) * 8).fill(0x20);
  new DataView(padded.buffer).setBigUint64(0, BigInt(padded.length - 8), true);
  padded.set(bytes, 8);
  yield padded;
  for (const [name, tensor] of tensors) {
    const { data } = tensor, elements = elementsOf(tensor); // read or computed now
    if (elements !== data.length) {
      throw new RangeError(
        `Cannot write tensor "${name}": [${tensor.shape}] has ${elements} elements, its data ${data.length}`,
      );
    }
    for (let done = 0; done < elements; done += PIECE) {
      const piece: ArrayBufferView = STORED[dtype](data.subarray(done, done + PIECE));
      yield new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
    }
  }
}
