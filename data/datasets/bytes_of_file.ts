/** Reads a file piece by piece: in order, unpacked where it is compressed, or from any place. @module */
import { Buffer } from "node:buffer";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { boundedUnpacking } from "./unpacking.ts";

const CHUNK = 1 << 20;

/**
 * The bytes of a file in order; a `.gz` unpacked. Throws SyntaxError where it is no gzip, or is cut off,
 * RangeError where it holds far more than it should.
 */
export async function* chunksOfFile(path: string): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path, { highWaterMark: CHUNK });
  if (!path.toLowerCase().endsWith(".gz")) {
    for await (const chunk of file) yield chunk as Buffer;
    return;
  }
  const unpacked = createGunzip({ chunkSize: CHUNK });
  file.on("error", (error) => unpacked.destroy(error));
  const { size } = await Deno.stat(path);
  try {
    yield* boundedUnpacking(file.pipe(unpacked), size);
  } finally {
    file.destroy();
  }
}

/** A file that is read from any place. */
export class PlacedFile {
  readonly #file: Deno.FsFile;

  private constructor(file: Deno.FsFile, readonly byteLength: number) {
    this.#file = file;
  }

  static async open(path: string): Promise<PlacedFile> {
    const file = await Deno.open(path);
    return new PlacedFile(file, (await file.stat()).size);
  }

  /**
   * Bytes from `start` to `end`, in a buffer of their own; at once, because readers ask for several pieces together.
   * Throws SyntaxError where the file ends before.
   */
  slice(start: number, end = this.byteLength): ArrayBuffer {
    const bytes = new Uint8Array(Math.max(0, end - start));
    this.#file.seekSync(start, Deno.SeekMode.Start);
    for (let at = 0; at < bytes.length;) {
      const got = this.#file.readSync(bytes.subarray(at));
      if (got === null) throw new SyntaxError(`it is cut off: it has ${this.byteLength} bytes, want ${end} at least`);
      at += got;
    }
    return bytes.buffer;
  }

  close(): void {
    this.#file.close();
  }
}
