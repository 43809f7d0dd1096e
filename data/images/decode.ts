/** Decodes an image to the pixels that Pillow gives for it. @module */
import { messageOf } from "../error_text.ts";
import { isOnItsSide, upright } from "./exif.ts";
import { type ImageHeader, imageHeader } from "./header.ts";
import { type ImageFormat, type ImageSize, MOST_SIDE } from "./image_id.ts";

export interface DecodedImage extends ImageSize {
  readonly format: ImageFormat;
  /** uint8 [height, width, 3]: red, green and blue, row by row. */
  readonly rgb: Uint8Array;
}

export interface ImageLimits {
  /** Bytes of the file. */
  readonly mostBytes: number;
  /** Pixels, as the header says: looked at before anything is decoded. */
  readonly mostPixels: number;
}

/** A picture of a camera fits; decoded, it holds 150 MB. */
export const IMAGE_LIMITS: ImageLimits = { mostBytes: 32e6, mostPixels: 50e6 };

/** Scans of a JPEG file, each of which goes through all its blocks in some bytes; those of cameras and tools have 10. */
const MOST_SCANS = 100;

/**
 * What decoding costs is bounded by bytes, pixels and scans: seconds. This only ends what hangs; a shorter limit would
 * leave good images out on a machine that has much else to do.
 */
const MOST_SECONDS = 600;

let library: ReturnType<typeof decoders> | null = null;

/** The decoders: native, loaded where an image is decoded. */
async function decoders() {
  const { default: sharp } = await import("sharp");
  // It knows thirty formats, renderers among them; no byte of a stranger's reaches any but these three.
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["Png", "Jpeg", "Webp"].map((name) => `VipsForeignLoad${name}Buffer`) });
  sharp.cache(false); // none is decoded twice
  return sharp;
}

/** Size after orientation, format: nothing is decoded. Throws RangeError, which `source` begins. */
export function readImageHeader(bytes: Uint8Array, source: string, limits: ImageLimits = IMAGE_LIMITS): ImageHeader {
  return of(source, () => {
    const { mostBytes, mostPixels } = limits;
    if (bytes.length > mostBytes) {
      throw new RangeError(`it has ${bytes.length} bytes, want ${mostBytes} at most; make it smaller`);
    }
    const header = imageHeader(bytes), { width, height } = header;
    if (Math.max(width, height) > MOST_SIDE) {
      throw new RangeError(`it is ${width} × ${height} pixels, want sides of ${MOST_SIDE} at most; make it smaller`);
    }
    if (width * height > mostPixels) {
      throw new RangeError(`it is ${width} × ${height} pixels, want ${mostPixels} at most; make it smaller`);
    }
    return header;
  });
}

/**
 * The pixels as `ImageOps.exif_transpose(Image.open(file)).convert("RGB")` of Pillow gives them: orientation applied,
 * grey three times, alpha dropped, colour profiles not applied, CMYK by Pillow's rule, of 16 bits the upper 8 (of grey with
 * 16 bits Pillow instead shows everything from 256 on as white).
 *
 * Throws RangeError, which `source` begins, for what is no still PNG, JPEG or WebP, is broken, or beyond the limits.
 */
export async function decodeImage(
  bytes: Uint8Array,
  source: string,
  limits: ImageLimits = IMAGE_LIMITS,
): Promise<DecodedImage> {
  const header = readImageHeader(bytes, source, limits), { width, height, format, orientation } = header;
  of(source, () => format === "jpg" && refuseScans(bytes));
  const [fileWidth, fileHeight] = isOnItsSide(orientation) ? [height, width] : [width, height];
  try {
    const sharp = await (library ??= decoders());
    const image = sharp(bytes, {
      failOn: "error",
      limitInputPixels: limits.mostPixels,
      ignoreIcc: true,
      sequentialRead: true,
    }).timeout({ seconds: MOST_SECONDS });
    const isCmyk = (await image.metadata()).space === "cmyk";
    if (isCmyk) image.pipelineColourspace("cmyk").toColourspace("cmyk");
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    if (info.width !== fileWidth || info.height !== fileHeight) {
      throw new RangeError(
        `it holds ${info.width} × ${info.height} pixels, and its header says ${fileWidth} × ${fileHeight}`,
      );
    }
    const rgb = isCmyk ? ofCmyk(data) : ofChannels(data, info.channels);
    return { width, height, format, rgb: upright(rgb, fileWidth, fileHeight, orientation) };
  } catch (cause) {
    throw new RangeError(`Cannot read image ${source}: ${decodingProblem(cause)}`, { cause });
  }
}

/** What the decoders' error says of an image, as the end of a sentence about it. */
export function decodingProblem(cause: unknown): string {
  const said = firstLine(messageOf(cause));
  if (said.startsWith("timeout: ")) {
    return `decoding it took too long, more than ${MOST_SECONDS} s, want seconds; write it anew, or let the machine do less`;
  }
  const problem = cause instanceof RangeError ? cause.message : `its content is broken (${said})`;
  return `${problem}, want a file that opens as an image; replace it`;
}

/** Within a scan 0xff 0xda does not occur: a zero follows each 0xff. */
function refuseScans(bytes: Uint8Array): void {
  let scans = 0;
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] === 0xda && ++scans > MOST_SCANS) {
      throw new RangeError(`it has more than ${MOST_SCANS} scans, want a JPEG file of fewer; write it anew`);
    }
  }
}

/** Three of each pixel's bytes: red, green, blue; where there are one or two, the first is grey. */
function ofChannels(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const rgb = new Uint8Array(data.length / channels * 3), [green, blue] = channels < 3 ? [0, 0] : [1, 2];
  for (let from = 0, to = 0; from < data.length; from += channels, to += 3) {
    rgb[to] = data[from]!;
    rgb[to + 1] = data[from + green!]!;
    rgb[to + 2] = data[from + blue!]!;
  }
  return rgb;
}

/** Pillow's cmyk2rgb (libImaging/Convert.c): of what the black leaves, the part that the ink does not take. */
function ofCmyk(data: Uint8Array): Uint8Array {
  const rgb = new Uint8Array(data.length / 4 * 3);
  for (let from = 0, to = 0; from < data.length; from += 4) {
    const left = 255 - data[from + 3]!;
    for (let ink = 0; ink < 3; ink++) {
      const product = data[from + ink]! * left + 128;
      rgb[to++] = left - ((product >> 8) + product >> 8);
    }
  }
  return rgb;
}

const firstLine = (text: string) => text.split("\n").find((line) => line.trim() !== "")?.trim() ?? "";

function of<Value>(source: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new RangeError(`Cannot read image ${source}: ${messageOf(cause)}`, { cause });
  }
}
