/** Files that a person gave to a page, as a disk that holds them alone. @module */
import type { Disk, Entry } from "../../../data/adapters/source/walk_tree.ts";
import { RUN_FILES } from "../../../data/run_folder.ts";
import { NEEDS_DISK } from "../in_browser/left_out.ts";

/** The folders that are on the way to files, by their paths. */
export function diskOf(paths: readonly string[]): Disk {
  const folders = new Map<string, Map<string, Entry>>();
  const folder = (path: string) => {
    const there = folders.get(path);
    if (there !== undefined) return there;
    const made = new Map<string, Entry>();
    folders.set(path, made);
    return made;
  };
  for (const path of paths) {
    const parts = path.split("/");
    for (let i = 1; i < parts.length; i++) {
      const name = parts[i]!;
      folder(parts.slice(0, i).join("/")).set(name, { name, kind: i === parts.length - 1 ? "file" : "folder" });
    }
  }
  return {
    list: (path) => Promise.resolve([...folder(path).values()]),
    real: (path) => Promise.resolve(path),
    linked: () => Promise.resolve(null), // A browser gives what links lead to.
    ownRun: (_, names) =>
      names.has(RUN_FILES.tables) && names.has(RUN_FILES.manifest) ? { reason: NEEDS_DISK.run } : null,
  };
}
