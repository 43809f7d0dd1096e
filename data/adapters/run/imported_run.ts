/**
 * What a foreign log, folder or configuration becomes: tables that every diagnosis and chart reads, and how it was read.
 *
 * In tables `null` is absent or a printed None, `NaN` a printed NaN. The two are never the same thing.
 * @module
 */
import type { OptionName } from "../../options.ts";
import type { RunRows } from "../../run_rows.ts";
import type { SystemName } from "../../systems.ts";
import type { RowOf } from "../../tables/row_of.ts";

export type AlgorithmName = "grpo" | "ppo" | "rloo" | "reinforce" | "kto" | "dpo" | "sft";

/** A row of `settings` whose value is still one. System "model": generation_config.json and config.json of a folder. */
export interface ImportedSetting extends Omit<RowOf<"settings", "system">, "option" | "value"> {
  option: OptionName | null;
  value: unknown;
}

/** A row of `messages`; the train step is that of the record printed last before the line. */
export type ImportedMessage = RowOf<"messages", "value" | "train_step">;

/** What a log need not say of a completion. */
type Unsaid = "train_step" | "prompt" | "answer" | "reward" | "advantage" | "completion_tokens" | "truncated";

/** A row of `completions`, with where it is written; `prompt_id` counts the groups of its train step, from 0; where prompts are not printed, from 1 where the groups can be told apart, else 0. */
export interface ImportedCompletion
  extends Pick<RowOf<"completions", Unsaid>, Unsaid | "prompt_id" | "sample" | "text"> {
  source: string;
  line: number;
  /** One value per reward function; null = not applicable or None, NaN = printed NaN. */
  rewards: Map<string, number | null>;
  /** The log shows only part of the text. */
  cut: boolean;
}

/** One file that was read. */
export interface ImportedSource {
  path: string;
  /** The adapter's name, e.g. "console", "trainer_state". */
  format: string;
  bytes: number;
  bytes_read: number;
  records: number;
  /** Why the file was read in part, or null. */
  partial: string | null;
}

/** Something that was not understood or not taken, and how much of it. */
export interface Skipped {
  source: string;
  line: number | null;
  reason: string;
  count: number;
}

export interface ImportedRun {
  /** As the user named it. */
  path: string;
  /** Several runs in one log are split: 1 of 1 as a rule; `reason` says where it starts ("train step went back to 1"), `run` what its source calls it, or which part of one log it is. */
  part: { index: number; of: number; reason: string; run: string | null };
  system: SystemName | null;
  algorithm: AlgorithmName | null;
  settings: ImportedSetting[];
  /** Names as printed that have no column, with their counts. */
  unmapped: Map<string, number>;
  sources: ImportedSource[];
  skipped: Skipped[];
  /** Records that were read but not kept, to bound memory. 0 for logs of ordinary size. */
  thinned: number;
  readonly rows: RunRows;
}
