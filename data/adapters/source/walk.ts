/**
 * The files of a run: one file, a folder, a pattern or standard input, with limits and without following loops.
 * @module
 */
import { concat } from "@deno/std/bytes/concat.js";
import { RUN_FILES } from "../../run_folder.ts";
import { chunksOfFile } from "../../datasets/bytes_of_file.ts";
import { anySegment } from "../../stored_tables.ts";
import type { Source } from "../adapter.ts";
import { namePattern } from "./name_pattern.ts";
import { openPacked } from "./packed.ts";
import { type Disk, PACKED, type Walk, walkTree } from "./walk_tree.ts";
import { wholeBytes } from "./whole_bytes.ts";

const HEAD = 1 << 16;
const CHUNK = 1 << 20;
function sourceOf(path: string, file: string, size: number, head: Uint8Array): Source {
  return {
    path,
    name: file.replaceAll("\\", "/").split("/").at(-1)!.toLowerCase(),
    size,
    head,
    file,
    folder: file.replaceAll("\\", "/").replace(/\/?[^/]*$/, "") || (file.startsWith("/") ? "/" : "."),
    async *chunks() {
      using handle = await Deno.open(file);
      const buffer = new Uint8Array(CHUNK);
      for (let n = await handle.read(buffer); n !== null; n = await handle.read(buffer)) yield buffer.subarray(0, n);
    },
    async bytes(limit) {
      if (size > limit) {
        throw new RangeError(`Cannot read ${path} at once: it has ${size} bytes, want at most ${limit}`);
      }
      return await Deno.readFile(file);
    },
  };
}

/** Opens one file, a .gz as what it holds; `path` is how reports call it. */
export async function openFile(file: string, path: string): Promise<Source> {
  if (PACKED.test(file)) return await openPacked(() => chunksOfFile(file), path, HEAD);
  const { size } = await Deno.stat(file);
  using handle = await Deno.open(file);
  const head = new Uint8Array(Math.min(HEAD, size));
  let filled = 0;
  while (filled < head.length) {
    const n = await handle.read(head.subarray(filled));
    if (n === null) break;
    filled += n;
  }
  return sourceOf(path, file, size, head.subarray(0, filled));
}

/** Reads standard input (or any stream of bytes): the head is kept, the rest streams. */
export async function openStream(stream: AsyncIterable<Uint8Array>, path: string): Promise<Source> {
  const iterator = stream[Symbol.asyncIterator](), first: Uint8Array[] = [];
  let size = 0;
  while (size < HEAD) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    first.push(value);
    size += value.length;
  }
  const ended = size < HEAD, head = concat(first);
  async function* chunks() {
    if (head.length > 0) yield head;
    if (!ended) yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return {
    path,
    name: "stdin",
    size: NaN,
    head: head.subarray(0, HEAD),
    folder: null,
    file: null,
    chunks,
    bytes: (limit) => wholeBytes(chunks(), path, limit),
  };
}

const kindOf = ({ isFile, isDirectory }: { readonly isFile: boolean; readonly isDirectory: boolean }) =>
  isFile ? "file" : isDirectory ? "folder" : "other";

const DISK: Disk = {
  list: async (folder) =>
    (await Array.fromAsync(Deno.readDir(folder))).map((entry) => ({
      name: entry.name,
      kind: entry.isSymlink ? "link" : kindOf(entry),
    })),
  real: (folder) => Deno.realPath(folder),
  linked: (path) => Deno.stat(path).then(kindOf, () => null),
  ownRun(folder, names) {
    if (!names.has(RUN_FILES.tables)) return null;
    const file = names.has(RUN_FILES.manifest) ? `${folder}/${RUN_FILES.manifest}` : anySegment(folder);
    return file === null ? null : { file };
  },
};

/** Lists the files of a folder that a doctor reads. */
export const walkFolder = (folder: string): Promise<Walk> => walkTree(folder, DISK);

/** Does the path hold a pattern? */
export function isPattern(path: string): boolean {
  return /[*?[\]]/.test(path);
}

const isThere = (path: string) => Deno.stat(path).then(() => true, () => false);

/** Expands `*`, `?` and `[abc]` in the last and middle parts of a path, sorted; a part that is there by that name is it. */
export async function expandPattern(pattern: string): Promise<string[]> {
  const parts = pattern.split("/");
  let found = [pattern.startsWith("/") ? "" : "."];
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    const next: string[] = [];
    for (const base of found) {
      if (!isPattern(part) || await isThere(`${base}/${part}`)) {
        next.push(`${base}/${part}`);
        continue;
      }
      const matches = namePattern(part);
      const entries = await Array.fromAsync(Deno.readDir(base === "" ? "/" : base)).catch(() => []);
      for (const { name } of entries) if (matches(name) && !name.startsWith(".")) next.push(`${base}/${name}`);
    }
    found = next;
    if (found.length === 0) return [];
  }
  const exists = await Promise.all(found.map(isThere));
  return found.filter((_, i) => exists[i]).map((path) => path.replace(/^\.\//, "")).sort();
}
