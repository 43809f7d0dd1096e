/**
 * Moves what a resume cannot read, or has no place for, out of its way: `set_aside/<number>/<path in the run folder>`.
 *
 * Nothing is removed: a read error may pass, and a damaged file may still hold what a person wants back.
 * @module
 */
import { dirname, join } from "node:path";
import { RUN_FILES } from "../../data/run_folder.ts";
import { isThere, listFolder, makeFolder, writing } from "./write_file.ts";

export class SetAside {
  #root: string | null = null;

  /** `folder` is the run's; its `set_aside/<number>` is made with the first thing that is moved. */
  constructor(readonly folder: string) {}

  /** Moves a file or folder, given relative to the run folder; returns where it lies now, or null when it is not there. */
  move(path: string): string | null {
    if (!isThere(join(this.folder, path))) return null;
    this.#root ??= join(RUN_FILES.setAside, String(1 + this.#last()));
    let to = join(this.#root, path);
    for (let copy = 2; isThere(join(this.folder, to)); copy++) to = join(this.#root, `${path}.${copy}`);
    makeFolder(dirname(join(this.folder, to)));
    writing(join(this.folder, to), 0, () => Deno.renameSync(join(this.folder, path), join(this.folder, to)));
    return to;
  }

  #last(): number {
    return Math.max(0, ...listFolder(join(this.folder, RUN_FILES.setAside)).map((name) => Number(name) || 0));
  }
}
