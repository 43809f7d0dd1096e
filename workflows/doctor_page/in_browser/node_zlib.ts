/** What the reader asks of `node:zlib`, in a page. @module */
import { diagnoseCommand } from "./command_line.ts";

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** CRC-32 of bytes (ISO 3309), uint32; `before` is that of the bytes before them. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (let i = 0; i < bytes.length; i++) crc = TABLE[(crc ^ bytes[i]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** A browser unpacks a stream, and nothing at once. */
function absent(packing: string): () => never {
  return () => {
    throw new RangeError(
      `Cannot unpack its columns in a page: they are packed with ${packing}, want Snappy or none, or the command line: ` +
        diagnoseCommand("FILE"),
    );
  };
}

export const gunzipSync = absent("gzip");
export const brotliDecompressSync = absent("brotli");
export const zstdDecompressSync = absent("zstd");
