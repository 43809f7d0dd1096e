/** The run of a case, whatever else its folder holds. @module */
import { readRun } from "../../../data/adapters/read_run.ts";
import type { RunRows } from "../../../data/run_rows.ts";

/** The run of a folder with most records; null where it holds none. */
export async function longestRun(path: string): Promise<RunRows | null> {
  const records = ({ tables }: RunRows) => tables.metrics?.numRows() ?? 0;
  const runs = await readRun([path]);
  return runs.map(({ rows }) => rows).toSorted((a, b) => records(b) - records(a))[0] ?? null;
}
