/** Reads the file of an image from what a cell says of it: bytes, a path, a data URI. @module */
import { fileURLToPath } from "node:url";
import { resolve } from "@deno/std/path/resolve.js";
import { isObject } from "../../datasets/cells.ts";
import type { Row } from "../../datasets/row_batch.ts";
import { notAFile } from "../../file_system.ts";
import { briefly, messageOf } from "../../error_text.ts";
import { IMAGE_LIMITS } from "../../images/decode.ts";

/** A file's bytes, and what errors call it. */
export interface ImageFile {
  readonly bytes: Uint8Array;
  readonly name: string;
}

/** The images that a cell names: none, one, or a list; a text that is a JSON list is one, as in CSV. */
export function sourcesIn(cell: unknown): readonly unknown[] {
  if (cell === null || cell === undefined || cell === "") return [];
  if (Array.isArray(cell)) return cell.flatMap(sourcesIn);
  if (typeof cell !== "string" || !/^\s*\[\s*"/.test(cell)) return [cell];
  try {
    return (JSON.parse(cell) as unknown[]).flatMap(sourcesIn);
  } catch {
    return [cell]; // a path that merely begins so
  }
}

/** The columns of images by their usual names, where their cells look like it. */
export function imageColumns(rows: readonly Row[], known: readonly string[]): string[] {
  return ["image", "images"].filter((name) => known.includes(name) && rows.some((row) => looksLikeImages(row[name])));
}

/** Whether a cell looks like images: what a column called `image` may else hold is a caption, or a number. */
function looksLikeImages(cell: unknown): boolean {
  return sourcesIn(cell).some((source) =>
    source instanceof Uint8Array || (isObject(source) && ("bytes" in source || "path" in source || "url" in source)) ||
    (typeof source === "string" &&
      /^(?:data:image\/|file:\/\/|https?:\/\/)|\.(?:png|jpe?g|webp|gif|bmp|tiff?)$/i.test(source))
  );
}

/**
 * The file that a source names, a path from `folder` on. Throws RangeError, as the end of a sentence about the row: for
 * an address, a file that is not there, one that is too large to be meant.
 */
export function imageFile(source: unknown, folder: string): ImageFile {
  if (source instanceof Uint8Array) return { bytes: source, name: "its bytes" };
  if (isObject(source)) {
    const { bytes, path, url } = source;
    const name = typeof path === "string" && path !== "" ? briefly(path, LONGEST_PATH) : "its bytes";
    if (bytes instanceof Uint8Array) return { bytes, name };
    if (typeof path === "string") return imageFile(path, folder);
    if (typeof url === "string") return imageFile(url, folder);
    throw new RangeError(
      `it is an object of ${briefly(Object.keys(source).join(", ")) || "nothing"}, want { bytes, path }`,
    );
  }
  if (typeof source !== "string") {
    throw new RangeError(`it is ${JSON.stringify(source)}, want a path, bytes or a data URI`);
  }
  if (/^data:/i.test(source)) return { bytes: dataUri(source), name: "its data URI" };
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(source) && !/^file:/i.test(source)) {
    throw new RangeError(
      `${
        JSON.stringify(source.slice(0, 80))
      } is an address, and a run fetches nothing; download the images, and name ` +
        "their files",
    );
  }
  const name = briefly(source, LONGEST_PATH);
  return { bytes: bytesOf(/^file:/i.test(source) ? pathOf(source) : resolve(folder, source), name), name };
}

/** Characters of a path in an error. */
export const LONGEST_PATH = 240;

function bytesOf(path: string, name: string): Uint8Array {
  try {
    const info = Deno.statSync(path), kind = notAFile(info);
    if (kind !== null) throw new RangeError(`${name} is ${kind}, want a file`);
    if (info.size > IMAGE_LIMITS.mostBytes) {
      throw new RangeError(`${name} has ${info.size} bytes, want ${IMAGE_LIMITS.mostBytes} at most; make it smaller`);
    }
    return Deno.readFileSync(path);
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    const isAbsent = cause instanceof Deno.errors.NotFound || cause instanceof Deno.errors.NotADirectory;
    throw new RangeError(
      isAbsent
        ? `there is no file ${briefly(path, LONGEST_PATH)}; paths begin where the data file lies, or in image_folder`
        : `${name} cannot be read (${briefly(messageOf(cause), LONGEST_PATH)})`,
      { cause },
    );
  }
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new RangeError(`${JSON.stringify(url.slice(0, 80))} is no file of this machine, want file:///PATH`, {
      cause,
    });
  }
}

function dataUri(uri: string): Uint8Array {
  const comma = uri.indexOf(","), head = uri.slice(0, comma);
  if (comma < 0 || !/;base64$/i.test(head)) {
    throw new RangeError(`its data URI begins ${JSON.stringify(uri.slice(0, 30))}, want data:image/…;base64,…`);
  }
  try {
    return Uint8Array.fromBase64(uri.slice(comma + 1).trim());
  } catch (cause) {
    throw new RangeError("its data URI holds no base64, want that of a file", { cause });
  }
}
