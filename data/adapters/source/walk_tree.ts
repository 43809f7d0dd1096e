/** Which files of a folder a doctor reads, wherever the folder lies: on a disk, or dropped on a page. @module */
/** The ending of what is packed. */
export const PACKED = /\.gz$/i;

const MAX_FILES = 400;
const MAX_DEPTH = 4;
const SKIP_FOLDERS = /^(\.git|\.cache|node_modules|__pycache__|wandb-cache|\.venv|venv|site-packages)$/;
/** What a doctor never reads: answers, weights, media; packed or not. */
const SKIP_FILES =
  /^(\.nonzero_export\.json|label\.json|readme\.md|tokenizer\.json|vocab\.json|merges\.txt|.*\.(safetensors|bin|pt|pth|ckpt|gguf|onnx|npy|npz|pkl|png|jpe?g|gif|mp4|zip|tar|tgz|so|pyc|arrow|lock|html|index\.json))$/i;
const CHECKPOINT = /^(?:checkpoint|global_step|step)[-_](\d+)$/;

/** What stands in a folder. */
export interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

/** Where folders lie. */
export interface Disk {
  /** What stands in a folder. */
  list(folder: string): Promise<Entry[]>;
  /** The folder itself, by whatever links it is reached. */
  real(folder: string): Promise<string>;
  /** What a link leads to; null where it leads nowhere. */
  linked(path: string): Promise<"file" | "folder" | "other" | null>;
  /** The file through which a run of ours is read that lies in a folder with these names, or why it is not; null for any other folder. */
  ownRun(folder: string, names: ReadonlySet<string>): { readonly file: string } | { readonly reason: string } | null;
}

/** What a walk found and what it left out. */
export interface Walk {
  files: { file: string; path: string }[];
  left: { path: string; reason: string }[];
}

/** Lists the files of a folder that a doctor reads; of several checkpoints only the last one's. */
export async function walkTree(folder: string, disk: Disk): Promise<Walk> {
  const walk: Walk = { files: [], left: [] };
  const seen = new Set<string>();
  const visit = async (dir: string, shown: string, depth: number): Promise<void> => {
    const real = await disk.real(dir);
    if (seen.has(real)) return void walk.left.push({ path: shown, reason: "a link back to a folder already read" });
    seen.add(real);
    const entries = (await disk.list(dir)).sort((a, b) => a.name < b.name ? -1 : 1);
    // A run folder of ours is read through its manifest, or a segment; its events and checkpoints are no logs.
    const names = new Set(entries.map(({ name }) => name)), own = disk.ownRun(dir, names);
    if (own !== null) {
      if ("reason" in own) walk.left.push({ path: shown, reason: own.reason });
      else walk.files.push({ file: own.file, path: `${shown}${own.file.slice(dir.length)}` });
      return;
    }
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
      const kind = entry.kind === "link" ? await disk.linked(file) : entry.kind;
      if (kind === null) walk.left.push({ path, reason: "a link that leads nowhere or in a circle" });
      else if (kind === "folder") {
        if (SKIP_FOLDERS.test(entry.name)) continue;
        if (depth >= MAX_DEPTH) walk.left.push({ path, reason: `deeper than ${MAX_DEPTH} folders` });
        else await visit(file, path, depth + 1);
      } else if (kind === "file") {
        if (SKIP_FILES.test(entry.name.replace(PACKED, ""))) continue;
        if (walk.files.length >= MAX_FILES) walk.left.push({ path, reason: `more than ${MAX_FILES} files` });
        else walk.files.push({ file, path });
      } else walk.left.push({ path, reason: "no regular file" });
    }
  };
  await visit(folder.replace(/\/+$/, "") || "/", folder.replace(/\/+$/, ""), 0);
  return walk;
}
