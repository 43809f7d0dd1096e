/** Writes grey pictures as PNG files. @module */
import { crc32, deflateSync } from "node:zlib";

/** A picture in shades of grey. */
interface GreyImage {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** uint8 [height * width], row by row: 0 is black, 255 white. */
  readonly values: Uint8Array;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const HEADER_BYTES = 13, AROUND = 12; // Length, name and checksum of a chunk.

/** Length, name, content and CRC-32 of name and content (PNG specification, 5.3). */
function chunk(name: string, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(content.length + AROUND), view = new DataView(bytes.buffer);
  view.setUint32(0, content.length);
  bytes.set(new TextEncoder().encode(name), 4);
  bytes.set(content, 8);
  view.setUint32(8 + content.length, crc32(bytes.subarray(4, 8 + content.length)));
  return bytes;
}

/**
 * The bytes of a PNG file, 8 bits of grey a pixel (colour type 0), no row filtered: the same for the same picture.
 *
 * Throws RangeError where `values` are not width x height, or one of these is no whole number above 0.
 */
export function encodeGreyPng({ width, height, values }: GreyImage): Uint8Array {
  const isSize = (size: number) => Number.isSafeInteger(size) && size > 0 && size < 2 ** 31;
  if (!isSize(width) || !isSize(height) || values.length !== width * height) {
    throw new RangeError(
      `Cannot write a PNG of ${width} x ${height} pixels: it has ${values.length} values, want one per pixel and at ` +
        "least one pixel",
    );
  }
  const header = new Uint8Array(HEADER_BYTES), view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = 8; // Bits; colour type, compression, filter and interlacing stay 0.
  const rows = new Uint8Array(height * (width + 1)); // Each row begins with its filter, 0.
  for (let y = 0; y < height; y++) rows.set(values.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const chunks = [chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", new Uint8Array())];
  const parts = [Uint8Array.from(SIGNATURE), ...chunks];
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
