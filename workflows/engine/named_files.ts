/**
 * What lies in the files a workflow names: own prompts, own rewards with the modules they import, folders of models.
 *
 * The workflow says only where they are; the numbers of a run depend on what is in them.
 * @module
 */
import { listFolder, orElse } from "../../data/file_system.ts";
import { cachedCommit } from "../../data/hub/remote/cache.ts";
import { hubEnvironment } from "../../data/hub/remote/environment.ts";
import { isAddress, parseRepository } from "../../data/hub/remote/repository.ts";
import { createHash } from "node:crypto";
import { dirname, isAbsolute, join } from "node:path";
import { type Plan, stepsOf } from "../plan/plan.ts";

const LONGEST_PATH = 1024; // A longer text is no path.

/** Without one of them a folder is no model's and no adapter's, and none that a step reads. */
const MODEL_FILES = ["config.json", "adapter_config.json"];

const DIGITS = 16; // Letters of a digest that are kept: enough to tell files apart, few enough to read.

/**
 * Digest of every file that a parameter names, by what the workflow calls it. Steps that give and write nothing are left
 * out: what they name is where something goes to.
 */
export function namedFiles(plan: Pick<Plan, "folder" | "steps">): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { kind, params, with: written } of stepsOf(plan.steps)) {
    if (Object.keys(kind.writes).length === 0 && kind.gives.length === 0) continue;
    for (const text of textsIn(params ?? written)) {
      const commit = isAddress(text) ? addressedCommit(text) : null;
      if (commit !== null) found[text] = commit;
      const files = filesAt(isAbsolute(text) ? text : join(plan.folder, text));
      if (files.length > 0) found[text] = digestOf(files);
    }
  }
  return found;
}

/** A branch of the Hub may stand at another commit when it was pulled again. */
const addressedCommit = (address: string) =>
  orElse(() => cachedCommit(hubEnvironment(), parseRepository(address)), null);

function textsIn(value: unknown): string[] {
  if (typeof value === "string") {
    return value.length === 0 || value.length > LONGEST_PATH || value.includes("\0") ? [] : [value];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** The file at a path and the modules it imports, or the files of a model's or adapter's folder; none for anything else. */
function filesAt(path: string): string[] {
  const info = infoOf(path);
  if (info?.isFile) return /\.[cm]?[jt]s$/.test(path) ? modulesFrom(path) : [path];
  if (!info?.isDirectory || !MODEL_FILES.some((name) => infoOf(join(path, name))?.isFile)) return [];
  return listFolder(path).map((name) => join(path, name)).filter((file) => infoOf(file)?.isFile);
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

/** One digest of all; read piece by piece, for weights are large. */
function digestOf(files: readonly string[]): string {
  const hash = createHash("sha256"), piece = new Uint8Array(1 << 20);
  for (const path of files) {
    try {
      using file = Deno.openSync(path, { read: true });
      for (let read = file.readSync(piece); read !== null; read = file.readSync(piece)) {
        hash.update(piece.subarray(0, read));
      }
    } catch {
      hash.update("unreadable");
    }
    hash.update("\0");
  }
  return hash.digest("hex").slice(0, DIGITS);
}
