/** Reads paths and asks the rules about each run found there. @module */
import { type ReadOptions, readRun } from "../../data/adapters/read_run.ts";
import { examineRun } from "./examine_run.ts";
import type { Examined } from "./examined.ts";

/** Reads and diagnoses every run under the paths (`-` is standard input). */
export async function examine(paths: readonly string[], options: ReadOptions = {}): Promise<Examined[]> {
  const runs = await readRun(paths, options);
  return runs.map(examineRun);
}
