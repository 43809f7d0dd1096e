/** Makes a small picture of an image for a page. @module */
import { bicubic } from "./bicubic.ts";
import type { DecodedImage } from "./decode.ts";

const QUALITY = 85;

/** A data URI of WebP whose longer side has at most `most` pixels; a smaller image stays as it is, without loss. */
export async function thumbnail({ rgb, width, height }: DecodedImage, most: number): Promise<string> {
  const scale = Math.min(1, most / Math.max(width, height));
  const [w, h] = [width, height].map((side) => Math.max(1, Math.round(side * scale))) as [number, number];
  const { default: sharp } = await import("sharp"); // native: loaded where a picture is wanted
  const small = sharp(bicubic(rgb, width, height, w, h), { raw: { width: w, height: h, channels: 3 } });
  const bytes = await small.webp(scale === 1 ? { lossless: true } : { quality: QUALITY }).toBuffer();
  return `data:image/webp;base64,${new Uint8Array(bytes).toBase64()}`;
}
