/** The images of a run for its pages: read from its folder under their ids alone, embedded as far as a page has room. @module */
import { basename, dirname, join } from "node:path";
import { orElse } from "../../data/file_system.ts";
import { IMAGE_TYPES, isImageId } from "../../data/images/image_id.ts";
import { IMAGES } from "../../data/images/image_store.ts";
import type { ImageSource } from "../../notebooks/pictures/shown_images.ts";

const TYPES: Readonly<Record<string, string>> = IMAGE_TYPES;

/** Bytes of one image that a page embeds, and characters of all of them together. */
const MOST_EACH = 200_000, MOST_TOGETHER = 6_000_000;

/** An image's file, or why it is not shown. */
type RunImage = { readonly bytes: Uint8Array<ArrayBuffer>; readonly type: string } | { readonly why: string };

const MISSING: { readonly why: string } = { why: `The image is not in the run's folder ${IMAGES}` };

/**
 * Where an image's file lies in a run's folder. What is no id, leads out of the folder or is no plain file is not there; one of
 * more than `most` bytes is not shown.
 */
export function findImage(
  folder: string,
  id: string,
  most: number,
): { readonly path: string } | { readonly why: string } {
  const path = isImageId(id) ? join(folder, IMAGES, id) : null;
  const size = path === null ? null : orElse(() => {
    const { isFile, size } = Deno.lstatSync(path);
    // A folder that is a link may lead anywhere, too.
    return isFile && dirname(Deno.realPathSync(path)) === join(Deno.realPathSync(folder), IMAGES) ? size : null;
  }, null);
  if (path === null || size === null) return MISSING;
  if (size > most) {
    return { why: `The image is not shown: its file has ${kilobytes(size)}, more than ${kilobytes(most)}` };
  }
  return { path };
}

/** The file of an image in a run's folder, read; as `findImage` finds it. */
export function runImage(folder: string, id: string, most: number): RunImage {
  const found = findImage(folder, id, most);
  if ("why" in found) return found;
  const bytes = orElse(() => Deno.readFileSync(found.path), null);
  return bytes === null ? MISSING : { bytes, type: TYPES[basename(id).split(".").at(-1)!]! };
}

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1000)} kB`;

/** The images of runs as data URIs: each as its file has it where it is small, all together up to a budget. An id means the same in every run. */
export function embeddedImages(
  folders: readonly string[],
  { each = MOST_EACH, together = MOST_TOGETHER } = {},
): ImageSource {
  let left = together;
  return (id) => {
    const found = folders.map((folder) => runImage(folder, id, each));
    const image = found.find((one) => "bytes" in one) ?? found.find((one) => one !== MISSING) ?? MISSING;
    if (!("bytes" in image)) return image;
    const href = `data:${image.type};base64,${image.bytes.toBase64()}`;
    if (href.length > left) {
      return { why: `The image is not shown: the page has ${kilobytes(together)} of images already` };
    }
    left -= href.length;
    return { href };
  };
}
