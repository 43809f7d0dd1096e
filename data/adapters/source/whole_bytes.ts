/** All of a source at once. @module */
import { concat } from "@deno/std/bytes/concat.js";

/** What comes in chunks as one; throws RangeError above `limit` bytes. `path` is how reports call it. */
export async function wholeBytes(chunks: AsyncIterable<Uint8Array>, path: string, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > limit) throw new RangeError(`Cannot read ${path} at once: it has over ${limit} bytes`);
    parts.push(chunk);
  }
  return concat(parts);
}
