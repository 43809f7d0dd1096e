/** How much may come out of what is packed, and what is said of it. @module */
import { LIMITS, megabytes } from "./limits.ts";

/**
 * Passes on what an unpacker gives of `size` packed bytes. Throws SyntaxError where it is damaged or cut off, RangeError
 * where it holds far more than it should.
 */
export async function* boundedUnpacking(
  unpacked: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  const most = Math.min(LIMITS.unpacked, Math.max(LIMITS.unpackedFreely, LIMITS.expansion * size));
  let bytes = 0;
  try {
    for await (const chunk of unpacked) {
      bytes += chunk.length;
      if (bytes > most) {
        throw new RangeError(
          `it unpacks to more than ${megabytes(most)} MB from ${megabytes(size)}, want at most ${LIMITS.expansion} ` +
            "times its size; unpack it yourself if you know what is in it",
        );
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new SyntaxError(`its gzip data is damaged or cut off after ${bytes} bytes of text`, { cause: error });
  }
}
