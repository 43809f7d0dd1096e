/**
 * The file formats that can be read, and the one call that reads them.
 * @module
 */
import type { Adapter } from "./adapter.ts";
import { COMPLETIONS } from "./completions.ts";
import { CONFIGURATION } from "./configuration.ts";
import { CONSOLE } from "./console.ts";
import { CSV } from "./csv.ts";
import type { ImportedRun } from "./intake/imported_run.ts";
import { type ReadOptions, readRunWith } from "./intake/read_run.ts";
import { PARQUET } from "./parquet.ts";
import { RUN_FOLDER } from "./run_folder.ts";
import { TENSORBOARD } from "./tensorboard.ts";
import { TRAINER_STATE } from "./trainer_state.ts";
import { WANDB } from "./wandb.ts";

export type { Adapter, Source } from "./adapter.ts";
export type * from "./intake/imported_run.ts";
export type { ReadOptions } from "./intake/read_run.ts";

export const ADAPTERS = {
  run_folder: RUN_FOLDER,
  trainer_state: TRAINER_STATE,
  completions: COMPLETIONS,
  configuration: CONFIGURATION,
  csv: CSV,
  parquet: PARQUET,
  tensorboard: TENSORBOARD,
  wandb: WANDB,
  console: CONSOLE,
} satisfies Record<string, Adapter>;

export type AdapterName = keyof typeof ADAPTERS;

/** Reads another system's runs: `-` is standard input, a folder is one run, `*` and `?` are expanded. */
export function readRun(paths: readonly string[], options: ReadOptions = {}): Promise<ImportedRun[]> {
  return readRunWith(ADAPTERS, paths, options);
}
