/** Reads the images that rows name, and remembers the last ones: many rows, or one, may name the same file. @module */
import { isObject } from "../../datasets/cells.ts";
import { readImageHeader } from "../../images/decode.ts";
import { imageId } from "../../images/image_id.ts";
import { type ImageFile, imageFile } from "./image_source.ts";

/** Bytes of files that are remembered: two of the largest. */
const MOST_REMEMBERED = 64e6;

interface NamedFile {
  readonly id: string;
  readonly file: ImageFile;
}

export class ImageFiles {
  /** By folder and path, the one that was asked for longest ago first. */
  readonly #files = new Map<string, NamedFile>();
  #bytes = 0;

  /** `open` reads what a source names, or throws RangeError. */
  constructor(
    private readonly mostBytes = MOST_REMEMBERED,
    private readonly open: (source: unknown, folder: string) => ImageFile = imageFile,
  ) {}

  /** The file that a source names, and the image's id. Throws RangeError as `open` and `readImageHeader` do. */
  read(source: unknown, folder: string): NamedFile {
    const path = pathIn(source);
    if (path === null) return named(this.open(source, folder));
    const key = JSON.stringify([folder, path]), before = this.#files.get(key);
    const found = before ?? named(this.open(source, folder));
    this.#files.delete(key);
    this.#files.set(key, found);
    if (before === undefined) this.#bytes += found.file.bytes.length;
    for (const [oldest, { file }] of this.#files) {
      if (this.#bytes <= this.mostBytes) break;
      this.#files.delete(oldest);
      this.#bytes -= file.bytes.length;
    }
    return found;
  }
}

function named(file: ImageFile): NamedFile {
  return { id: imageId(file.bytes, readImageHeader(file.bytes, file.name)), file };
}

/** The path that a source gives; null for one that holds the bytes themselves. */
function pathIn(source: unknown): string | null {
  if (typeof source === "string") return /^data:/i.test(source) ? null : source;
  if (!isObject(source) || source["bytes"] instanceof Uint8Array) return null;
  const { path, url } = source;
  return typeof path === "string" ? pathIn(path) : typeof url === "string" ? pathIn(url) : null;
}
