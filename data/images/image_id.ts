/** The name of an image: what is in it, its size and its format, so that a size is known without a file. @module */
import { sha256 } from "../digest.ts";

/** The formats that are read, by the ending of an id, each with its media type. */
export const IMAGE_TYPES = { png: "image/png", jpg: "image/jpeg", webp: "image/webp" } as const;

export type ImageFormat = keyof typeof IMAGE_TYPES;

/** Pixels, of the image as a person sees it: after its orientation is applied. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Pixels of a side: what has more digits than this has no id. */
export const MOST_SIDE = 999_999;

const DIGITS = 32;
const ID = new RegExp(
  String.raw`^[0-9a-f]{${DIGITS}}-([1-9]\d{0,5})x([1-9]\d{0,5})\.(?:${Object.keys(IMAGE_TYPES).join("|")})$`,
);

/** The first 32 hexadecimal digits of the SHA-256 of the file's bytes, its size and its format: also its file's name. */
export function imageId(bytes: Uint8Array, { width, height, format }: ImageSize & { format: ImageFormat }): string {
  return `${sha256(bytes).slice(0, DIGITS)}-${width}x${height}.${format}`;
}

/** The size in an id. Throws RangeError for what is none. */
export function sizeOfId(id: string): ImageSize {
  const found = ID.exec(id);
  if (found === null) {
    throw new RangeError(
      `Cannot read the size of image ${JSON.stringify(id.slice(0, 80))}: it is no image id, ` +
        "want 32 hexadecimal digits, the size and the format, as in 0123…cdef-640x480.png",
    );
  }
  return { width: Number(found[1]), height: Number(found[2]) };
}

/** Whether an id names these bytes. */
export const isOf = (id: string, bytes: Uint8Array): boolean => id.startsWith(`${sha256(bytes).slice(0, DIGITS)}-`);

export const isImageId = (text: string): boolean => ID.test(text);
