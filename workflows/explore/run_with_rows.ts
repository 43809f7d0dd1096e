/** Which runs have something to look at: the one just begun has not. @module */
import { basename, dirname, join } from "node:path";
import type { TableName } from "../../data/columns.ts";
import { TABLES } from "../../data/columns.ts";
import { textIfThere } from "../../data/file_system.ts";
import { RUN_FILES } from "../../data/run_folder.ts";
import { segmentsOf } from "../../data/stored_tables.ts";
import { runIds } from "./find_run.ts";

/** What is there before anything was trained or measured. */
const BEFORE: ReadonlySet<TableName> = new Set(["prompts", "settings", "messages"]);

/** Whether a run was trained or measured so far. */
export function hasRows(folder: string): boolean {
  const tables = (Object.keys(TABLES) as TableName[]).filter((name) => !BEFORE.has(name));
  if (tables.some((name) => segmentsOf(folder, name).length > 0)) return true;
  // Between two checkpoints its train steps stand in its events alone.
  return (textIfThere(join(folder, RUN_FILES.events)) ?? "").includes('"event":"train_step"');
}

/** Id of the newest run with rows that is older than this one and lies beside it; null where there is none. */
export function earlierWithRows(folder: string): string | null {
  const runs = dirname(folder);
  return runIds(runs).findLast((id) => id < basename(folder) && hasRows(join(runs, id))) ?? null;
}
