/** Reads a text as if it were a file or standard input: what the adapter tests start from. */
import assert from "node:assert/strict";
import { readRun } from "../../../data/adapters/read_run.ts";
import type { ImportedRun } from "../../../data/adapters/run/imported_run.ts";

/** All runs of a text on standard input. */
export async function readTexts(text: string | Uint8Array): Promise<ImportedRun[]> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return await readRun(["-"], { stdin: new Blob([bytes as Uint8Array<ArrayBuffer>]).stream() });
}

/** The only run of a text on standard input. */
export async function readText(text: string | Uint8Array): Promise<ImportedRun> {
  const runs = await readTexts(text);
  assert.equal(runs.length, 1);
  return runs[0]!;
}

/** The only run of files in a folder of their own. */
export async function readFiles(files: Record<string, string | Uint8Array>, alone = false): Promise<ImportedRun> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, content] of Object.entries(files)) {
      const parts = name.split("/");
      if (parts.length > 1) await Deno.mkdir(`${folder}/${parts.slice(0, -1).join("/")}`, { recursive: true });
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      await Deno.writeFile(`${folder}/${name}`, bytes);
    }
    const runs = await readRun([alone ? `${folder}/${Object.keys(files)[0]}` : folder]);
    assert.equal(runs.length, 1);
    return runs[0]!;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A column of the wide view as plain values. */
export function column(run: ImportedRun, name: string): (number | null)[] | undefined {
  return run.metrics.columns.get(name);
}
