/** Folders of cases as the readers of logs take them. @module */
import { join } from "node:path";
import { readRun } from "../../../data/adapters/read_run.ts";
import type { RunRows } from "../../../data/run_rows.ts";

/** The run of a folder with most records; null where it holds none. */
export async function longestRun(path: string): Promise<RunRows | null> {
  const records = ({ tables }: RunRows) => tables.metrics?.numRows() ?? 0;
  const runs = await readRun([path]);
  return runs.map(({ rows }) => rows).toSorted((a, b) => records(b) - records(a))[0] ?? null;
}

/** Reads a folder with its .gz files unpacked beside the others, which the readers of logs skip. */
export async function unpacked<T>(path: string, read: (path: string) => Promise<T>): Promise<T> {
  const names = [...Deno.readDirSync(path)].filter(({ isFile }) => isFile).map(({ name }) => name);
  if (!names.some((name) => name.endsWith(".gz"))) return await read(path);
  const copy = await Deno.makeTempDir();
  try {
    for (const name of names) {
      const file = await Deno.open(join(path, name)), isPacked = name.endsWith(".gz");
      const bytes = isPacked ? file.readable.pipeThrough(new DecompressionStream("gzip")) : file.readable;
      await Deno.writeFile(join(copy, isPacked ? name.slice(0, -3) : name), bytes);
    }
    return await read(copy);
  } finally {
    await Deno.remove(copy, { recursive: true });
  }
}
