/** Reads what an image is, its size and which way up, from the first bytes of its file. @module */
import { isOnItsSide, orientationIn } from "./exif.ts";
import type { ImageFormat, ImageSize } from "./image_id.ts";

/** `width` and `height` are those that a person sees; the file's own are the other way round where it lies on its side. */
export interface ImageHeader extends ImageSize {
  readonly format: ImageFormat;
  /** As in EXIF: 1 to 8. */
  readonly orientation: number;
}

interface Found {
  readonly width: number;
  readonly height: number;
  readonly exif: Uint8Array | null;
}

/** What files begin with that people take for images, or that are images and not read here. */
const OTHERS: readonly (readonly [name: string, begins: RegExp])[] = [
  ["a GIF, which may move", /^GIF8[79]a/],
  ["a BMP", /^BM/],
  ["a TIFF", /^(?:II\*\0|MM\0\*)/],
  ["HEIF or AVIF", /^[^]{4}ftyp/],
  ["a PDF", /^%PDF/],
  ["JPEG XL", /^(?:\xff\n|[^]{4}JXL )/],
  ["SVG, a drawing that a renderer would have to run", /^(?:\xef\xbb\xbf)?\s*(?:<\?xml|<!--|<!DOCTYPE\s+svg|<svg)/i],
  ["HTML, perhaps the page of an error", /^(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html)/i],
  ["a Git LFS pointer, whose file was not fetched", /^version https:\/\/git-lfs/],
];
const WANT = "want PNG, JPEG or WebP";

/**
 * Size, format and orientation; nothing is decoded. Throws RangeError, as the end of a sentence about the image, for what
 * is no still image of these three formats.
 */
export function imageHeader(bytes: Uint8Array): ImageHeader {
  if (bytes.length === 0) throw new RangeError(`it is empty, ${WANT}`);
  const format = formatOf(bytes);
  const { width, height, exif } = READERS[format](bytes);
  if (width === 0 || height === 0) throw new RangeError(`it says it is ${width} × ${height} pixels, want one at least`);
  const orientation = exif === null ? 1 : orientationIn(exif);
  return { format, orientation, ...isOnItsSide(orientation) ? { width: height, height: width } : { width, height } };
}

function formatOf(bytes: Uint8Array): ImageFormat {
  const begins = latin(bytes, 0, 256);
  if (begins.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (begins.startsWith("\xff\xd8\xff")) return "jpg";
  if (/^RIFF[^]{4}WEBP/.test(begins)) return "webp";
  const other = OTHERS.find(([, pattern]) => pattern.test(begins))?.[0];
  if (other !== undefined) throw new RangeError(`it is ${other}, ${WANT}`);
  // Nothing of it is quoted: data can name any file of the machine, and errors are shown to others.
  const isText = /^[\t\n\r\x20-\x7e]+$/.test(begins);
  throw new RangeError(isText ? `it is a text, ${WANT}` : `it is of no known format, ${WANT}`);
}

const READERS: Readonly<Record<ImageFormat, (bytes: Uint8Array) => Found>> = { png, jpg, webp };

/** PNG: chunks of length, name, content and a check. */
function png(bytes: Uint8Array): Found {
  const view = viewOf(bytes);
  if (bytes.length < 33 || latin(bytes, 12, 4) !== "IHDR") throw cutOff();
  let exif: Uint8Array | null = null;
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at), name = latin(bytes, at + 4, 4);
    if (name === "acTL") throw moving("PNG");
    if (name === "eXIf") exif ??= bytes.subarray(at + 8, at + 8 + length);
    at += 12 + length;
  }
  return { width: view.getUint32(16), height: view.getUint32(20), exif };
}

/** JPEG: markers, of which those that begin a frame (SOF) say its size, and APP1 may hold EXIF. */
function jpg(bytes: Uint8Array): Found {
  const view = viewOf(bytes);
  let exif: Uint8Array | null = null;
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1]!;
    if (bytes[at] !== 0xff) throw new RangeError("its markers are broken, want a JPEG file that is whole");
    if (marker === 0xff) {
      at++; // bytes that fill
      continue;
    }
    const length = view.getUint16(at + 2);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      if (at + 9 > bytes.length) break;
      if (bytes[at + 4] !== 8) throw new RangeError(`it has ${bytes[at + 4]} bits a sample, want JPEG of 8`);
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5), exif };
    }
    if (marker === 0xe1 && latin(bytes, at + 4, 6) === "Exif\0\0") exif ??= bytes.subarray(at + 4, at + 2 + length);
    at += 2 + Math.max(length, 2);
  }
  throw cutOff();
}

/** WebP: RIFF's chunks; "VP8X" says the size of those with EXIF, transparency or several frames. */
function webp(bytes: Uint8Array): Found {
  const view = viewOf(bytes), name = latin(bytes, 12, 4);
  if (bytes.length < 30) throw cutOff();
  if (name === "VP8 ") {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff, exif: null };
  }
  if (name === "VP8L") {
    const size = view.getUint32(21, true);
    return { width: (size & 0x3fff) + 1, height: ((size >> 14) & 0x3fff) + 1, exif: null };
  }
  if (name !== "VP8X") {
    throw new RangeError("its first part is none of WebP's, want a WebP file that is whole");
  }
  if ((bytes[20]! & 2) !== 0) throw moving("WebP");
  let exif: Uint8Array | null = null;
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = view.getUint32(at + 4, true);
    if (latin(bytes, at, 4) === "EXIF") exif ??= bytes.subarray(at + 8, at + 8 + length);
    at += 8 + length + length % 2;
  }
  const three = (at: number) => view.getUint16(at, true) + (bytes[at + 2]! << 16) + 1;
  return { width: three(24), height: three(27), exif };
}

const cutOff = () => new RangeError("it ends within its header, want a file that is whole");
const moving = (format: string) =>
  new RangeError(
    `it is an animated ${format}, want a still image; write the frame that is meant into a file of its own`,
  );
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const latin = (bytes: Uint8Array, from: number, length: number) =>
  String.fromCharCode(...bytes.subarray(from, from + length));
