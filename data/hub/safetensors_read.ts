/** Reads tensors of one safetensors file, each when it is asked for. @module */
import { didYouMean } from "../did_you_mean.ts";
import { notAFile } from "../file_system.ts";
import { DTYPES } from "./dtypes.ts";
import { headerLength, parseHeader, type SafetensorsHeader, type TensorEntry } from "./safetensors_header.ts";

export interface SafetensorsFile extends SafetensorsHeader {
  readonly path: string;
  /** Values as float32, row-major; float16, bfloat16, float64 and integers are converted. A fresh array. */
  float32(name: string): Float32Array;
  /** The bytes as stored. A fresh array. */
  bytes(name: string): Uint8Array<ArrayBuffer>;
  close(): void;
  [Symbol.dispose](): void;
}

/** Opens a file and checks its header; throws SyntaxError (damaged) or the system's error (missing, unreadable). */
export function openSafetensors(path: string): SafetensorsFile {
  const found = notAFile(Deno.statSync(path));
  if (found !== null) throw new TypeError(`Cannot read ${path}: it is ${found}, want a file`);
  const file = Deno.openSync(path);
  try {
    const info = file.statSync();
    const length = headerLength(readRange(file, 0, Math.min(8, info.size), path), info.size, path);
    const header = parseHeader(readRange(file, 8, length, path), info.size, path);
    const bytes = (name: string) => {
      const entry = find(header, name, path);
      return readRange(file, entry.byteOffset, entry.byteLength, path);
    };
    const close = () => file.close();
    return {
      ...header,
      path,
      bytes,
      float32(name) {
        const { dtype } = find(header, name, path);
        const { toFloat32 } = DTYPES[dtype];
        if (!toFloat32) throw new TypeError(`Cannot read tensor "${name}" of ${path} as float32: it is ${dtype}`);
        return toFloat32(bytes(name));
      },
      close,
      [Symbol.dispose]: close,
    };
  } catch (error) {
    file.close();
    throw error;
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
  for (let done = 0; done < length;) {
    const count = file.readSync(out.subarray(done));
    if (count === null) throw new SyntaxError(`Cannot read ${path}: it ended ${length - done} bytes early`);
    done += count;
  }
  return out;
}
