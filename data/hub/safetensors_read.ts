/** Reads tensors of one safetensors file, each when it is asked for. @module */
import { didYouMean } from "../did_you_mean.ts";
import { notAFile } from "../file_system.ts";
import { DTYPES } from "./dtypes.ts";
import { headerLength, parseHeader, type SafetensorsHeader, type TensorEntry } from "./safetensors_header.ts";

/** Elements converted at once: what is read and what it becomes stay in a core's cache. */
const PIECE = 1 << 18;

export interface SafetensorsFile extends SafetensorsHeader {
  readonly path: string;
  /** Values as float32, row-major; float16, bfloat16, float64 and integers are converted. A fresh array. */
  float32(name: string): Float32Array;
  /** The same into an array that is there: as many elements as it has room for, from element `from` on; in pieces. */
  read(name: string, into: Float32Array, from?: number): void;
  /** The bytes as stored. A fresh array. */
  bytes(name: string): Uint8Array<ArrayBuffer>;
  /** Gives up the open file; what is read later opens it again, and refuses one that has changed. */
  close(): void;
  [Symbol.dispose](): void;
}

/** Opens a file and checks its header; throws SyntaxError (damaged) or the system's error (missing, unreadable). */
export function openSafetensors(path: string): SafetensorsFile {
  const found = notAFile(Deno.statSync(path));
  if (found !== null) throw new TypeError(`Cannot read ${path}: it is ${found}, want a file`);
  const handle = new Handle(path);
  try {
    const { size } = handle;
    const header = handle.use((file) => {
      const length = headerLength(readRange(file, 0, Math.min(8, size), path), size, path);
      return parseHeader(readRange(file, 8, length, path), size, path);
    });
    const read = (name: string, into: Float32Array, from = 0) => {
      const entry = find(header, name, path);
      handle.use((file) => readFloats(file, { name, path, entry }, into, from));
    };
    return {
      ...header,
      path,
      read,
      bytes(name) {
        const { byteOffset, byteLength } = find(header, name, path);
        return handle.use((file) => readRange(file, byteOffset, byteLength, path));
      },
      float32(name) {
        const { dtype, byteLength } = find(header, name, path),
          out = new Float32Array(byteLength / DTYPES[dtype].bytes);
        read(name, out);
        return out;
      },
      close: () => handle.close(),
      [Symbol.dispose]: () => handle.close(),
    };
  } catch (error) {
    handle.close();
    throw error;
  }
}

/** An open file; closed, it opens for each use, and must then still be the file that it was. */
class Handle {
  #file: Deno.FsFile | null;
  readonly size: number;
  readonly #changed: number;

  constructor(readonly path: string) {
    this.#file = Deno.openSync(path);
    const { size, mtime } = this.#file.statSync();
    [this.size, this.#changed] = [size, mtime?.getTime() ?? 0];
  }
  use<Result>(body: (file: Deno.FsFile) => Result): Result {
    if (this.#file) return body(this.#file);
    using file = Deno.openSync(this.path);
    const info = file.statSync();
    if (info.size === this.size && (info.mtime?.getTime() ?? 0) === this.#changed) return body(file);
    throw new SyntaxError(`Cannot read ${this.path}: it was changed while it was read; start again`);
  }
  close(): void {
    this.#file?.close();
    this.#file = null;
  }
}

interface Stored {
  readonly name: string;
  readonly path: string;
  readonly entry: TensorEntry;
}

function readFloats(file: Deno.FsFile, { name, path, entry }: Stored, into: Float32Array, from: number): void {
  const { dtype, byteOffset, byteLength } = entry, { bytes: size, toFloat32 } = DTYPES[dtype];
  if (!toFloat32) throw new TypeError(`Cannot read tensor "${name}" of ${path} as float32: it is ${dtype}`);
  if (from < 0 || (from + into.length) * size > byteLength) {
    throw new RangeError(
      `Cannot read elements ${from} to ${from + into.length} of "${name}" of ${path}: it has ${byteLength / size}`,
    );
  }
  const piece = new Uint8Array(Math.min(PIECE, into.length) * size);
  file.seekSync(byteOffset + from * size, Deno.SeekMode.Start);
  for (let done = 0; done < into.length; done += PIECE) {
    const part = into.subarray(done, done + PIECE), bytes = piece.subarray(0, part.length * size);
    fill(file, bytes, path);
    toFloat32(bytes, part);
  }
}

function find(header: SafetensorsHeader, name: string, path: string): TensorEntry {
  const entry = header.tensors.get(name);
  if (entry) return entry;
  throw new RangeError(
    `Cannot read tensor "${name}" of ${path}: it is not there${didYouMean(name, [...header.tensors.keys()], 8)}`,
  );
}

function readRange(file: Deno.FsFile, offset: number, length: number, path: string): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(length);
  file.seekSync(offset, Deno.SeekMode.Start);
  fill(file, out, path);
  return out;
}

function fill(file: Deno.FsFile, out: Uint8Array, path: string): void {
  for (let done = 0; done < out.length;) {
    const count = file.readSync(out.subarray(done));
    if (count === null) throw new SyntaxError(`Cannot read ${path}: it ended ${out.length - done} bytes early`);
    done += count;
  }
}
