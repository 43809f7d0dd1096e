/** Files that a target writes as a whole: ours by their mark, never another's. @module */
import { dirname, resolve } from "node:path";
import { isFile, textIfThere } from "../../data/file_system.ts";
import { makeFolder, rewriteFile, writeFileAtomic } from "../store/write_file.ts";
import { shownPath } from "../terminal/caller.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { type Job, markedFile } from "./job.ts";
import type { Change } from "./target.ts";

/**
 * A file that becomes `text`. Throws a UsageError where another's file has the name, or that of a workflow which is still
 * where it was.
 */
export function writing(path: string, text: string, { name, file }: Job, root = "/"): Change {
  const before = textIfThere(path);
  if (before !== null) refuseTaken(shownPath(path), before, { name, file }, root);
  return {
    what: path,
    before,
    after: text,
    apply: () => {
      refuseChanged(path, before);
      const bytes = new TextEncoder().encode(text);
      if (before !== null) rewriteFile(path, bytes);
      else {
        makeFolder(dirname(path));
        writeFileAtomic(path, bytes);
      }
      return Promise.resolve([]);
    },
  };
}

/** Refuses to replace what is not of this workflow, or of one that has been moved away; `root`: what marks are relative to. */
export function refuseTaken(where: string, text: string, { name, file }: Pick<Job, "name" | "file">, root = "/"): void {
  const owner = markedFile(text);
  if (owner === null) {
    throw new UsageError(
      `Cannot install "${name}": ${where} was not written by Nonzero; rename the workflow, or the file`,
    );
  }
  if (owner === file || !isFile(resolve(root, owner))) return;
  throw new UsageError(
    `Cannot install "${name}": ${where} belongs to another workflow of that name, ${owner}; rename one of them`,
  );
}

/** A file that goes; nothing where it is not there or not of this workflow. */
export function removing(path: string, file: string): Change[] {
  const before = textIfThere(path);
  if (before === null || markedFile(before) !== file) return [];
  return [{
    what: path,
    before,
    after: null,
    apply: () => {
      refuseChanged(path, before);
      const real = Deno.realPathSync(path); // what a link leads to is ours as well
      for (const one of new Set([real, path])) Deno.removeSync(one);
      return Promise.resolve([]);
    },
  }];
}

/** Somebody else may write while a person reads what would be written. */
function refuseChanged(path: string, before: string | null): void {
  if (textIfThere(path) === before) return;
  throw new UsageError(`Cannot write ${shownPath(path)}: it was changed in the meantime; run the command again`);
}
