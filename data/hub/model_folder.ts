/** Files of a Hugging Face folder by name: only plain files that lie in it. @module */
import { basename, dirname, join, relative, sep } from "node:path";
import { ifThere, notAFile } from "../file_system.ts";
import { parseJsonObject } from "../strict_json.ts";

/**
 * The path of `name` in `folder`, or null when there is no such file.
 * Throws RangeError for a name that is a path, for a symbolic link, except into the `blobs` of a Hugging Face cache, and
 * for what is no file: a pipe would be waited for without an end.
 */
export function folderFile(folder: string, name: string): string | null {
  if (!/^[^/\\:\0]+$/.test(name) || name === "." || name === "..") {
    throw new RangeError(`Cannot read ${JSON.stringify(name)} of ${folder}: it is a path, want a file name`);
  }
  const path = join(folder, name);
  const info = ifThere(() => Deno.lstatSync(path), null);
  if (info === null) return null;
  if (info.isSymlink && !leadsToBlobs(folder, path)) {
    throw new RangeError(`Cannot read ${path}: it is a symbolic link, want a file; copy it into the folder`);
  }
  const found = notAFile(Deno.statSync(path));
  if (found !== null) throw new RangeError(`Cannot read ${path}: it is ${found}, want a file; copy the model again`);
  return path;
}

/**
 * `models--x/snapshots/<revision>/file` of a Hugging Face cache links to `models--x/blobs/<hash>`, which is a file or, since
 * huggingface_hub 2, a link to one that several repositories share: `blobs/<2 digits>/<hash>` beside them.
 */
export function leadsToBlobs(folder: string, path: string): boolean {
  const snapshots = dirname(Deno.realPathSync(folder)), repository = dirname(snapshots);
  if (basename(snapshots) !== "snapshots") return false;
  const target = Deno.realPathSync(path);
  if (target.startsWith(`${join(repository, "blobs")}${sep}`)) return true;
  return SHARED.test(relative(dirname(repository), target).replaceAll(sep, "/"));
}

const SHARED = /^blobs\/([0-9a-f]{2})\/\1[0-9a-f]{62}$/;

const MAX_TEXT_BYTES = 100_000_000;

/** The text of a file of the folder, null when it is not there; throws SyntaxError when it is not UTF-8 or too large. */
export function readFolderText(folder: string, name: string, maxBytes = MAX_TEXT_BYTES): string | null {
  const path = folderFile(folder, name);
  if (path === null) return null;
  const { size } = Deno.statSync(path);
  if (size > maxBytes) throw new SyntaxError(`Cannot read ${path}: it has ${size} bytes, want at most ${maxBytes}`);
  const bytes = Deno.readFileSync(path);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SyntaxError(`Cannot read ${path}: it is not UTF-8`, { cause });
  }
}

/** The JSON object in a file of the folder, null when the file is not there. */
export function readFolderObject(folder: string, name: string): Record<string, unknown> | null {
  const text = readFolderText(folder, name);
  return text === null ? null : parseJsonObject(text, join(folder, name));
}
