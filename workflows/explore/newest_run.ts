/** What `last` means to who wants to look at a run: the newest one with rows, and not the one just begun. @module */
import { join } from "node:path";
import type { TableName } from "../../data/columns.ts";
import { TABLES } from "../../data/columns.ts";
import { textIfThere } from "../../data/file_system.ts";
import { RUN_FILES } from "../../data/run_folder.ts";
import { segmentsOf } from "../../data/stored_tables.ts";
import { runIds } from "./find_run.ts";

interface Newest {
  readonly folder: string;
  /** Ids of newer runs that have no rows yet, newest first. */
  readonly passedOver: readonly string[];
}

/** The newest run that has rows; the newest of all where none has; null where there is no run. */
export function newestRun(runs: string): Newest | null {
  const ids = runIds(runs).reverse();
  const index = ids.findIndex((id) => hasRows(join(runs, id)));
  const [first] = ids;
  if (first === undefined) return null;
  return index < 0
    ? { folder: join(runs, first), passedOver: [] }
    : { folder: join(runs, ids[index]!), passedOver: ids.slice(0, index) };
}

/** What is there before anything was trained or measured. */
const BEFORE: ReadonlySet<TableName> = new Set(["prompts", "settings", "messages"]);

function hasRows(folder: string): boolean {
  const tables = (Object.keys(TABLES) as TableName[]).filter((name) => !BEFORE.has(name));
  if (tables.some((name) => segmentsOf(folder, name).length > 0)) return true;
  // Between two checkpoints its train steps stand in its events alone.
  return (textIfThere(join(folder, RUN_FILES.events)) ?? "").includes('"event":"train_step"');
}
