/**
 * The file formats that can be read, and the one call that reads them.
 * @module
 */
import type { Adapter } from "./adapter.ts";
import { COMPLETIONS } from "./completions.ts";
import { CONFIGURATION } from "./configuration.ts";
import { CONSOLE } from "./console.ts";
import type { ImportedRun } from "./intake/imported_run.ts";
import { type ReadOptions, readRunWith } from "./intake/read_run.ts";
import { TRAINER_STATE } from "./trainer_state.ts";

export type { Adapter, Source } from "./adapter.ts";
export type * from "./intake/imported_run.ts";
export type { ReadOptions } from "./intake/read_run.ts";

export const ADAPTERS = {
  trainer_state: TRAINER_STATE,
  completions: COMPLETIONS,
  configuration: CONFIGURATION,
  console: CONSOLE,
} satisfies Record<string, Adapter>;

export type AdapterName = keyof typeof ADAPTERS;

/** Reads another system's runs: `-` is standard input, a folder is one run, `*` and `?` are expanded. */
export function readRun(paths: readonly string[], options: ReadOptions = {}): Promise<ImportedRun[]> {
  return readRunWith(ADAPTERS, paths, options);
}
