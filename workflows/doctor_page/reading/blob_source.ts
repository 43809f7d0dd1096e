/** A file that a person gave to a page, as a source. @module */
import type { Source } from "../../../data/adapters/adapter.ts";
import { openPacked } from "../../../data/adapters/source/packed.ts";
import { PACKED } from "../../../data/adapters/source/walk_tree.ts";
import { boundedUnpacking } from "../../../data/datasets/unpacking.ts";

const HEAD = 1 << 16;
const CHUNK = 1 << 20;

/** Opens one file, a .gz as what it holds. Nothing beside it can be opened: it has no folder. */
export async function openBlob(blob: Blob, path: string): Promise<Source> {
  if (PACKED.test(path)) return await openPacked(() => unpackedChunks(blob), path, HEAD);
  return {
    path,
    name: path.split("/").at(-1)!.toLowerCase(),
    size: blob.size,
    head: await bytesOf(blob.slice(0, HEAD)),
    folder: null,
    file: null,
    chunks: () => chunksOf(blob),
    async bytes(limit) {
      if (blob.size > limit) {
        throw new RangeError(`Cannot read ${path} at once: it has ${blob.size} bytes, want at most ${limit}`);
      }
      return await bytesOf(blob);
    },
  };
}

/** A text that was pasted, as standard input has it. */
export async function openText(text: string): Promise<Source> {
  return { ...await openBlob(new Blob([text]), "-"), name: "stdin", size: NaN };
}

/** The bytes of a blob, some at a time. */
export async function* chunksOf(blob: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += CHUNK) yield await bytesOf(blob.slice(at, at + CHUNK));
}

const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());

function unpackedChunks(blob: Blob): AsyncGenerator<Uint8Array> {
  return boundedUnpacking(read(blob.stream().pipeThrough(new DecompressionStream("gzip"))), blob.size);
}

/** Not every browser goes through a stream by itself. */
async function* read(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {}); // of one that has failed
  }
}
