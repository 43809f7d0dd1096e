/** What a person dropped, as something to read. @module */
import { folderOf, givenFiles, TOGETHER } from "../reading/given_files.ts";
import type { Given, GivenFile } from "../reading/messages.ts";

/** A folder of a run has fewer files than this, and they lie less deep. */
const MOST = 20_000, DEEPEST = 8;

/**
 * What was dropped: what it holds has to be asked for before this first waits. A folder is read by its handle where the
 * browser gives one: Chromium refuses the entries of a folder to a page that was opened from a disk.
 */
export async function givenDrop(data: DataTransfer): Promise<Given | null> {
  const text = data.getData("text/plain"), items = [...data.items].filter(({ kind }) => kind === "file");
  const dropped = items.map((item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
    handle: (item as Handled).getAsFileSystemHandle?.() ?? Promise.resolve(null),
  }));
  const [only, more] = dropped;
  if (only === undefined) return text === "" ? null : { kind: "text", text };
  if (more === undefined && !only.entry?.isDirectory) return only.file === null ? null : givenFiles([only.file]);
  const files: GivenFile[] = [], before = more === undefined ? "" : `${TOGETHER}/`;
  for (const { entry, file, handle } of dropped) {
    if (!entry?.isDirectory) {
      if (file !== null) files.push({ path: before + file.name, file });
      continue;
    }
    const folder = await handle;
    if (folder !== null) await collectHandle(folder, before, files, 0);
    else await collectEntry(entry, before, files, 0);
  }
  return folderOf(files, more === undefined ? only.entry!.name : TOGETHER);
}

/** A folder or file as newer browsers have it. */
type Handle = FileSystemHandle & {
  readonly values?: () => AsyncIterable<Handle>;
  readonly getFile?: () => Promise<File>;
};
type Handled = DataTransferItem & { readonly getAsFileSystemHandle?: () => Promise<Handle | null> };

async function collectHandle(handle: Handle, before: string, files: GivenFile[], depth: number): Promise<void> {
  if (files.length >= MOST || depth > DEEPEST) return;
  const path = before + handle.name;
  if (handle.getFile !== undefined) return void files.push({ path, file: await handle.getFile() });
  for await (const one of handle.values!()) await collectHandle(one, `${path}/`, files, depth + 1);
}

async function collectEntry(entry: FileSystemEntry, before: string, files: GivenFile[], depth: number): Promise<void> {
  if (files.length >= MOST || depth > DEEPEST) return;
  const path = before + entry.name;
  if (entry.isFile) return void files.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A browser gives the entries of a folder a hundred at a time.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const one of some) await collectEntry(one, `${path}/`, files, depth + 1);
  }
}

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));
