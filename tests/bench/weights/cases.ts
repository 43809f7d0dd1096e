/** Labelled runs as evidence: what the rules say of each, and which causes are right. @module */
import { join } from "node:path";
import { readRun } from "../../../data/adapters/read_run.ts";
import type { RunRows } from "../../../data/run_rows.ts";
import { suspectsOf } from "../../../steps/diagnoses/diagnose_run.ts";
import { evidenceOf, type Suspected } from "../../../steps/diagnoses/differential/evidence.ts";
import { tableView } from "../../../steps/diagnoses/view/table_view.ts";
import { UsageError } from "../../../workflows/terminal/usage_error.ts";
import type { Label } from "../diagnoses.ts";

const ACCEPTED = 0.5; // What naming another accepted cause is worth beside the primary one.

/** A labelled run. */
export interface Case {
  readonly name: string;
  /** The folder that it comes from: runs of one folder have one maker. */
  readonly source: string;
  /** True if the label says that something is wrong. */
  readonly isFaulty: boolean;
  readonly primary: string;
  readonly evidence: readonly Suspected[];
  /** How right each cause of the evidence is: 1 the primary one, less another accepted one, 0 any other. */
  readonly right: readonly number[];
}

/** The case of a label and what the rules found. */
export function caseOf(name: string, source: string, label: Label, evidence: readonly Suspected[]): Case {
  const isFaulty = label.verdict === "faulty";
  const rightness = (cause: string) =>
    !isFaulty ? 0 : cause === label.primary ? 1 : label.causes.includes(cause) ? ACCEPTED : 0;
  return {
    name,
    source,
    isFaulty,
    primary: label.primary,
    evidence,
    right: evidence.map(({ cause }) => rightness(cause)),
  };
}

/** The cases of a folder; runs of which the label says that nothing can be told are left out. Throws UsageError for none. */
export async function readCases(folder: string): Promise<Case[]> {
  const names = [], cases = [], source = folder.split("/").filter(Boolean).at(-1) ?? folder;
  for await (const entry of Deno.readDir(folder)) if (entry.isDirectory) names.push(entry.name);
  for (const name of names.sort()) {
    const path = join(folder, name);
    const text = await Deno.readTextFile(join(path, "label.json")).catch((error) => {
      if (error instanceof Deno.errors.NotFound) return null;
      throw error;
    });
    if (text === null) continue;
    const label: Label = JSON.parse(text), rows = await unpacked(path, longestRun);
    if (label.verdict === "insufficient" || rows === null) continue;
    cases.push(caseOf(name, source, label, evidenceOf(suspectsOf(tableView(rows)))));
  }
  if (cases.length === 0) throw new UsageError(`Cannot fit to "${folder}": it holds no case with a label.json`);
  return cases;
}

async function longestRun(path: string): Promise<RunRows | null> {
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
