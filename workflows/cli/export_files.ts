/**
 * Writes the files of an export: all of them or none, and over no file that is not an export's.
 *
 * A small file beside them, `.nonzero_export.json`, remembers which files an export wrote and how large they were.
 * @module
 */
import { concat } from "@deno/std/bytes/concat.js";
import { dirname, join } from "node:path";
import { replaceFile } from "../../data/hub/atomic_write.ts";
import { isThere, textIfThere } from "../../data/file_system.ts";
import { TEMPORARY_PREFIX } from "../../data/run_folder.ts";
import { parseJsonObject } from "../../data/strict_json.ts";
import { writeAll } from "../store/write_file.ts";
import { shownPath } from "../terminal/paths.ts";
import { UsageError } from "../terminal/usage_error.ts";

/** One file; texts and bytes come in pieces, so that a large table is never one string. */
export interface ExportedFile {
  /** Below the folder of the export, with `/`. */
  readonly path: string;
  readonly pieces: Iterable<string | Uint8Array>;
  /** Written where nothing has its name, and left as it is otherwise: other runs share it. */
  readonly isShared?: boolean;
  /** The folder that is told in its place, where a format has many files. */
  readonly within?: string;
}

/** What was written, by path or by the folder that stands for it. */
interface Written {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
}

/** Bytes that wait to be written together. */
const WAITING = 1 << 20;
const RECORD = ".nonzero_export.json";

/**
 * Writes into a temporary folder first, and gives the files their names when all are whole. Throws UsageError for a file
 * that no export wrote, or that was changed since.
 */
export function writeExport(out: string, files: Iterable<ExportedFile>): Written[] {
  const sizes = readRecord(out), written = new Map<string, Written>(), moves: { path: string; bytes: number }[] = [];
  const temporary = Deno.makeTempDirSync({ dir: out, prefix: TEMPORARY_PREFIX });
  try {
    for (const { path, pieces, isShared, within = path } of files) {
      if (isShared && isThere(join(out, path))) continue;
      requireOurs(out, path, sizes.get(path));
      const bytes = writePieces(join(temporary, path), pieces);
      moves.push({ path, bytes });
      const before = written.get(within) ?? { path: within, files: 0, bytes: 0 };
      written.set(within, { ...before, files: before.files + 1, bytes: before.bytes + bytes });
    }
    // Remembered before and after, so that an export that is killed between two names can be written again.
    for (const { path, bytes } of moves) sizes.set(path, [...sizes.get(path) ?? [], bytes]);
    writeRecord(out, sizes);
    for (const { path, bytes } of moves) {
      Deno.mkdirSync(dirname(join(out, path)), { recursive: true });
      Deno.renameSync(join(temporary, path), join(out, path));
      sizes.set(path, [bytes]);
    }
    writeRecord(out, sizes);
  } finally {
    Deno.removeSync(temporary, { recursive: true });
  }
  return [...written.values()];
}

function requireOurs(out: string, path: string, sizes: readonly number[] | undefined): void {
  const target = join(out, path);
  if (!isThere(target)) return;
  const stat = Deno.lstatSync(target);
  if (stat.isFile && sizes?.includes(stat.size)) return;
  const what = sizes === undefined || !stat.isFile ? "no export wrote it" : "it was changed since it was exported";
  throw new UsageError(
    `Cannot export to ${shownPath(target)}: it is there, and ${what}; move it away, or want another --out DIR`,
  );
}

function readRecord(out: string): Map<string, readonly number[]> {
  const file = join(out, RECORD), text = textIfThere(file);
  const files = text === null ? {} : parseJsonObject(text, file)["files"];
  return new Map(Object.entries((files ?? {}) as Record<string, number[]>));
}

function writeRecord(out: string, sizes: ReadonlyMap<string, readonly number[]>): void {
  const about = "files that `nonzero export` wrote here, with their bytes: it writes over no others";
  const text = JSON.stringify({ about, files: Object.fromEntries(sizes) }, null, 2);
  replaceFile(join(out, RECORD), [new TextEncoder().encode(`${text}\n`)], { sync: false });
}

function writePieces(path: string, pieces: Iterable<string | Uint8Array>): number {
  const encoder = new TextEncoder();
  Deno.mkdirSync(dirname(path), { recursive: true });
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  // Rows are short: some thousands go to the system at once.
  let size = 0, held: Uint8Array[] = [], waiting = 0;
  const flush = () => {
    writeAll(file, concat(held));
    [held, waiting] = [[], 0];
  };
  for (const piece of pieces) {
    const data = typeof piece === "string" ? encoder.encode(piece) : piece;
    held.push(data);
    size += data.length;
    if ((waiting += data.length) > WAITING) flush();
  }
  flush();
  return size;
}
