/** A .gz as a source of what it holds. @module */
import { concat } from "@deno/std/bytes/concat.js";
import type { Source } from "../adapter.ts";
import { PACKED } from "./walk_tree.ts";
import { wholeBytes } from "./whole_bytes.ts";

/**
 * Opens a .gz, which `unpack` gives from its beginning, under the name of what it holds, with the first `most` bytes as its head. What lies beside it is
 * none of its business. What is wrong with it is thrown when it is read: SyntaxError where it is cut off or damaged,
 * RangeError where it unpacks to far more than a log does.
 */
export async function openPacked(
  unpack: () => AsyncIterable<Uint8Array>,
  path: string,
  most: number,
): Promise<Source> {
  async function* chunks() {
    try {
      yield* unpack();
    } catch (cause) {
      const Kind = [SyntaxError, RangeError].find((kind) => cause instanceof kind);
      throw Kind === undefined ? cause : new Kind(`Cannot unpack ${path}: ${(cause as Error).message}`, { cause });
    }
  }
  return {
    path,
    name: path.split(/[\\/]/).at(-1)!.replace(PACKED, "").toLowerCase(),
    size: NaN,
    head: await headOf(chunks(), most),
    folder: null,
    file: null,
    chunks,
    bytes: (limit) => wholeBytes(chunks(), path, limit),
  };
}

async function headOf(chunks: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const first: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunks) {
      first.push(chunk);
      size += chunk.length;
      if (size >= most) break;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
  }
  return concat(first).slice(0, most);
}
