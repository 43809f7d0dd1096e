/** Files that a person gave, as something to read. @module */
import type { Given, GivenFile } from "./messages.ts";

/** What several files are called together. */
export const TOGETHER = "files";

/** A file with its way from the folder that was chosen. */
type Chosen = File & { readonly webkitRelativePath?: string };

/** Files that were chosen: one, several as one folder, or a folder with its name. */
export function givenFiles(files: readonly Chosen[]): Given | null {
  const [first] = files;
  if (first === undefined) return null;
  if (first.webkitRelativePath) {
    return folderOf(files.map((file) => ({ path: file.webkitRelativePath!, file })));
  }
  return files.length === 1
    ? { kind: "file", file: first }
    : folderOf(files.map((file) => ({ path: `${TOGETHER}/${file.name}`, file })));
}

/** Files whose ways begin with a folder, as that. */
export function folderOf(files: readonly GivenFile[], name = files[0]!.path.split("/")[0]!): Given {
  return { kind: "folder", name, files };
}
