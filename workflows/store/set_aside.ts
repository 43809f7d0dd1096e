/**
 * Moves what a resume cannot read, or has no place for, out of its way: `set_aside/<number>/<path in the run folder>`.
 *
 * Nothing is removed: a read error may pass, and a damaged file may still hold what a person wants back.
 * @module
 */
import { dirname, join } from "node:path";
import { RUN_FILES } from "../../data/run_folder.ts";
import { isThere, listFolder } from "../../data/file_system.ts";
import { makeFolder, reasonOf, writing } from "./write_file.ts";

export class SetAside {
  #root: string | null = null;

  /** `folder` is the run's; its `set_aside/<number>` is made with the first thing that is moved. */
  constructor(readonly folder: string, readonly rename: typeof Deno.renameSync = Deno.renameSync) {}

  /** Moves a file or folder, given relative to the run folder; returns where it lies now, or null when it is not there. */
  move(path: string): string | null {
    if (!isThere(join(this.folder, path))) return null;
    this.#root ??= join(RUN_FILES.setAside, String(1 + this.#last()));
    let to = join(this.#root, path);
    for (let copy = 2; isThere(join(this.folder, to)); copy++) to = join(this.#root, `${path}.${copy}`);
    makeFolder(dirname(join(this.folder, to)));
    writing(join(this.folder, to), 0, () => this.#rename(join(this.folder, path), join(this.folder, to)));
    return to;
  }

  /** A folder that nobody may write into cannot change its parent: it is made writable for the move, if it is ours. */
  #rename(from: string, to: string): void {
    try {
      return this.rename(from, to);
    } catch (error) {
      const { isDirectory, mode } = Deno.lstatSync(from);
      if (!(error instanceof Deno.errors.PermissionDenied) || !isDirectory || mode === null) throw error;
      chmod(from, mode | 0o700);
      this.rename(from, to);
      chmod(to, mode);
    }
  }

  #last(): number {
    return Math.max(0, ...listFolder(join(this.folder, RUN_FILES.setAside)).map((name) => Number(name) || 0));
  }
}

function chmod(path: string, mode: number): void {
  try {
    Deno.chmodSync(path, mode & 0o7777);
  } catch (error) {
    throw new Error(`${path} cannot be moved (${reasonOf(error)}): make it yours`, { cause: error });
  }
}
