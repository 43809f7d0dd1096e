/** What bytes in a cell are, for a person. @module */
import { byteText } from "../byte_text.ts";

/** True of PNG, JPEG and WebP, by their first bytes. */
export function isImageBytes(bytes: Uint8Array): boolean {
  const begins = String.fromCharCode(...bytes.subarray(0, 12));
  return begins.startsWith("\x89PNG\r\n\x1a\n") || begins.startsWith("\xff\xd8\xff") || /^RIFF[^]{4}WEBP/.test(begins);
}

/** A replacer of JSON.stringify: bytes as what they are, and how many. */
export function shownBytes(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? `${isImageBytes(value) ? "image" : "bytes"}, ${byteText(value.length)}` : value;
}
