/**
 * What lies in the files a workflow names: own rows, own rewards with the modules they import, folders of models and data.
 *
 * The workflow says only where they are; the numbers of a run depend on what is in them.
 * @module
 */
import { filesRead } from "../../data/datasets/folder_files.ts";
import { listFolder, orElse } from "../../data/file_system.ts";
import { cachedCommit } from "../../data/hub/remote/cache.ts";
import { hubEnvironment } from "../../data/hub/remote/environment.ts";
import { isAddress, parseRepository } from "../../data/hub/remote/repository.ts";
import { createHash } from "node:crypto";
import { basename, dirname, isAbsolute, join } from "node:path";
import { type Plan, stepsOf } from "../plan/plan.ts";

const LONGEST_PATH = 1024; // A longer text is no path.

/** Without one of them a folder is no model's and no adapter's, and none that a step reads. */
const MODEL_FILES = ["config.json", "adapter_config.json"];

/** What names rows may name a folder of them (steps/options/data_source.ts). */
const DATA_OPTION = "file";

/** Bytes of a file from which on its size, its time and its ends stand for it: gigabytes take seconds at every start. */
const LARGE = 64e6;
const PIECE = 1 << 20;

const DIGITS = 16; // Letters of a digest that are kept: enough to tell files apart, few enough to read.

/**
 * Digest of every file that a parameter names, by what the workflow calls it. Steps that give and write nothing are left
 * out: what they name is where something goes to.
 */
export function namedFiles(plan: Pick<Plan, "folder" | "steps">): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { kind, params, with: written } of stepsOf(plan.steps)) {
    if (Object.keys(kind.writes).length === 0 && kind.gives.length === 0) continue;
    for (const [option, text] of textsIn(params ?? written)) {
      const commit = isAddress(text) ? addressedCommit(text) : null;
      if (commit !== null) found[text] = commit;
      const files = filesAt(isAbsolute(text) ? text : join(plan.folder, text), option);
      if (files.length > 0) found[text] = digestOf(files);
    }
  }
  return found;
}

/** A branch of the Hub may stand at another commit when it was pulled again. */
const addressedCommit = (address: string) =>
  orElse(() => cachedCommit(hubEnvironment(), parseRepository(address)), null);

/** Texts that may be paths, each with the key it stands at. */
function textsIn(value: unknown, key = ""): (readonly [string, string])[] {
  if (typeof value === "string") {
    return value.length === 0 || value.length > LONGEST_PATH || value.includes("\0") ? [] : [[key, value]];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([inner, one]) => textsIn(one, inner));
}

/**
 * The file at a path and the modules it imports, or the files of a model's or adapter's folder, or of the folder of rows
 * that the option `file` names; none for anything else.
 */
function filesAt(path: string, option: string): string[] {
  const info = infoOf(path);
  if (info?.isFile) return /\.[cm]?[jt]s$/.test(path) ? modulesFrom(path) : [path];
  if (!info?.isDirectory) return [];
  const names = MODEL_FILES.some((name) => infoOf(join(path, name))?.isFile)
    ? listFolder(path)
    : option === DATA_OPTION
    ? orElse(() => filesRead(path), [])
    : [];
  return names.map((name) => join(path, name)).filter((file) => infoOf(file)?.isFile);
}

/** A module and what it imports by relative path, in the order in which they are met. */
function modulesFrom(path: string, seen: Set<string> = new Set<string>()): string[] {
  if (seen.has(path) || !infoOf(path)?.isFile) return [...seen];
  seen.add(path);
  for (
    const [, specifier] of Deno.readTextFileSync(path).matchAll(/(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g)
  ) {
    modulesFrom(join(dirname(path), specifier!), seen);
  }
  return [...seen];
}

/** Null for what cannot be looked at: the step that reads it says what is wrong. */
const infoOf = (path: string) => orElse(() => Deno.statSync(path), null);

/** One digest of all, and of what each is called; read piece by piece. */
function digestOf(files: readonly string[]): string {
  const hash = createHash("sha256"), piece = new Uint8Array(PIECE);
  for (const path of files) {
    if (files.length > 1) hash.update(`${basename(path)}\0`);
    try {
      using file = Deno.openSync(path, { read: true });
      const { size, mtime } = file.statSync();
      if (size > LARGE) {
        // A checkpoint's header is at its beginning, Parquet's and Arrow's description at their end.
        hash.update(`${size} ${mtime?.getTime()}`);
        for (const at of [0, size - PIECE]) {
          file.seekSync(at, Deno.SeekMode.Start);
          hash.update(piece.subarray(0, file.readSync(piece) ?? 0));
        }
      } else {
        for (let read = file.readSync(piece); read !== null; read = file.readSync(piece)) {
          hash.update(piece.subarray(0, read));
        }
      }
    } catch {
      hash.update("unreadable");
    }
    hash.update("\0");
  }
  return hash.digest("hex").slice(0, DIGITS);
}
