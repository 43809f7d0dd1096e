/**
 * The files of a run: one file, a folder, a pattern or standard input, with limits and without following loops.
 * @module
 */
import { concat } from "@deno/std/bytes/concat.js";
import { RUN_FILES } from "../../run_folder.ts";
import { anySegment } from "../../stored_tables.ts";
import type { Source } from "../adapter.ts";
import { openPacked, PACKED } from "./packed.ts";
import { wholeBytes } from "./whole_bytes.ts";

const HEAD = 1 << 16;
const CHUNK = 1 << 20;
const MAX_FILES = 400;
const MAX_DEPTH = 4;
const SKIP_FOLDERS = /^(\.git|\.cache|node_modules|__pycache__|wandb-cache|\.venv|venv|site-packages)$/;
/** What a doctor never reads: answers, weights, media; packed or not. */
const SKIP_FILES =
  /^(\.nonzero_export\.json|label\.json|readme\.md|tokenizer\.json|vocab\.json|merges\.txt|.*\.(safetensors|bin|pt|pth|ckpt|gguf|onnx|npy|npz|pkl|png|jpe?g|gif|mp4|zip|tar|tgz|so|pyc|arrow|lock|html|index\.json))$/i;
const CHECKPOINT = /^(?:checkpoint|global_step|step)[-_](\d+)$/;

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
  if (PACKED.test(file)) return await openPacked(file, path, HEAD);
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

/** What a walk found and what it left out. */
interface Walk {
  files: { file: string; path: string }[];
  left: { path: string; reason: string }[];
}

/** Lists the files of a folder that a doctor reads; of several checkpoints only the last one's. */
export async function walkFolder(folder: string): Promise<Walk> {
  const walk: Walk = { files: [], left: [] };
  const seen = new Set<string>();
  const visit = async (dir: string, shown: string, depth: number): Promise<void> => {
    const real = await Deno.realPath(dir);
    if (seen.has(real)) return void walk.left.push({ path: shown, reason: "a link back to a folder already read" });
    seen.add(real);
    const entries = await Array.fromAsync(Deno.readDir(dir));
    entries.sort((a, b) => a.name < b.name ? -1 : 1);
    // A run folder of ours is read through its manifest, or a segment; its events and checkpoints are no logs.
    const names = new Set(entries.map(({ name }) => name));
    const manifest = names.has(RUN_FILES.manifest) && names.has(RUN_FILES.tables);
    const file = manifest ? `${dir}/${RUN_FILES.manifest}` : names.has(RUN_FILES.tables) ? anySegment(dir) : null;
    if (file !== null) return void walk.files.push({ file, path: `${shown}${file.slice(dir.length)}` });
    // A run of MLflow's file store is read through its meta.yaml: it has a file per metric. What a program kept is beside.
    const isMlflow = names.has("meta.yaml") && (names.has("metrics") || names.has("params"));
    if (isMlflow) {
      entries.splice(0, Infinity, ...entries.filter(({ name }) => name === "meta.yaml" || name === "artifacts"));
    }
    const checkpoints = entries.filter(({ name }) => CHECKPOINT.test(name));
    const last = checkpoints.reduce((max, { name }) => Math.max(max, Number(CHECKPOINT.exec(name)![1])), -1);
    for (const entry of entries) {
      const path = `${shown}/${entry.name}`, file = `${dir}/${entry.name}`;
      const checkpoint = CHECKPOINT.exec(entry.name);
      if (checkpoint !== null && Number(checkpoint[1]) !== last) continue;
      let isFile = entry.isFile, isFolder = entry.isDirectory;
      if (entry.isSymlink) {
        const stat = await Deno.stat(file).catch(() => null);
        if (stat === null) {
          walk.left.push({ path, reason: "a link that leads nowhere or in a circle" });
          continue;
        }
        [isFile, isFolder] = [stat.isFile, stat.isDirectory];
      }
      if (isFolder) {
        if (SKIP_FOLDERS.test(entry.name)) continue;
        if (depth >= MAX_DEPTH) walk.left.push({ path, reason: `deeper than ${MAX_DEPTH} folders` });
        else await visit(file, path, depth + 1);
      } else if (isFile) {
        if (SKIP_FILES.test(entry.name.replace(PACKED, ""))) continue;
        if (walk.files.length >= MAX_FILES) walk.left.push({ path, reason: `more than ${MAX_FILES} files` });
        else walk.files.push({ file, path });
      } else walk.left.push({ path, reason: "no regular file" });
    }
  };
  await visit(folder.replace(/\/+$/, "") || "/", folder.replace(/\/+$/, ""), 0);
  return walk;
}

/** Does the path hold a pattern? */
export function isPattern(path: string): boolean {
  return /[*?[\]]/.test(path);
}

/** Expands `*`, `?` and `[abc]` in the last and middle parts of a path, sorted. */
export async function expandPattern(pattern: string): Promise<string[]> {
  const parts = pattern.split("/");
  let found = [pattern.startsWith("/") ? "" : "."];
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    const next: string[] = [];
    for (const base of found) {
      if (!isPattern(part)) {
        next.push(`${base}/${part}`);
        continue;
      }
      const source = part.replace(/[.+^${}()|\\]/g, "\\$&").replaceAll("*", ".*").replaceAll("?", ".");
      const matcher = new RegExp(`^${source}$`);
      const entries = await Array.fromAsync(Deno.readDir(base === "" ? "/" : base)).catch(() => []);
      for (const { name } of entries) if (matcher.test(name) && !name.startsWith(".")) next.push(`${base}/${name}`);
    }
    found = next;
    if (found.length === 0) return [];
  }
  const exists = await Promise.all(found.map((path) => Deno.stat(path).then(() => true, () => false)));
  return found.filter((_, i) => exists[i]).map((path) => path.replace(/^\.\//, "")).sort();
}
