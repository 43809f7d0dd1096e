/**
 * What a foreign log, folder or configuration becomes: plain columns that every diagnosis and chart reads.
 *
 * `null` is absent or a printed None; `NaN` is a printed NaN. The two are never the same thing.
 * @module
 */
import type { OptionName } from "../../options.ts";
import type { RewardStdScope, RunRows } from "../../run_rows.ts";

/** Systems whose files we know. */
export type SystemName =
  | "trl"
  | "verl"
  | "openrlhf"
  | "ms-swift"
  | "visual-rft"
  | "vlm-r1"
  | "r1-v-family"
  | "unsloth"
  | "llamafactory"
  | "deepspeed-chat"
  | "torchforge"
  | "mlx"
  | "nemo-rl"
  | "nonzero";

export type AlgorithmName = "grpo" | "ppo" | "rloo" | "reinforce" | "kto" | "dpo" | "sft";

/** A guess and why. */
export interface Guess<T> {
  readonly name: T | null;
  readonly reason: string;
}

/**
 * The wide view of printed metrics: one row per printed record, one array per column.
 *
 * Mapped names stand under their column of `metrics` (data/columns.ts), per-function rewards under `reward.<name>` and
 * `reward_std.<name>`, everything else under the name as printed.
 */
export interface WideTable {
  rows: number;
  /** As printed; the number of the record, from 1, where the log prints none (then `step_printed` is false). */
  train_step: number[];
  step_printed: boolean;
  /** Index into `ImportedRun.sources`. */
  source: number[];
  line: number[];
  columns: Map<string, (number | null)[]>;
  /** Fewest decimals a column was printed with (0.000 with 3 is not 0), or null for full precision. */
  decimals: Map<string, number | null>;
  /** The names as printed behind a column, most used first. */
  printed: Map<string, string[]>;
  /** Extremes of finite values over all rows read, also those that `thinned` dropped. */
  extremes: Map<string, { min: number; max: number }>;
  /** Rows that were read but not kept, to bound memory. 0 for logs of ordinary size. */
  thinned: number;
}

/** One printed value, as in the table `observations`. */
export interface Observation {
  source: string;
  line: number;
  name: string;
  column: string | null;
  train_step: number;
  value: number | null;
  decimals: number | null;
  rank: number | null;
}

export interface ImportedSetting {
  name: string;
  option: OptionName | null;
  value: unknown;
  /** number, string, boolean, null, list or object, as it was written. */
  written_type: string;
  /** Whose option it is; "model" for generation_config.json and config.json of a model folder. */
  system: string | null;
  source: string;
  line: number;
  column: number;
}

export interface ImportedMessage {
  kind: string;
  text: string;
  value: number | null;
  /** Train step of the record printed last before the line, or null. */
  train_step: number | null;
  source: string;
  line: number;
  /** How many lines of this kind there were; only the first ones are kept. */
  count: number;
}

export interface ImportedCompletion {
  source: string;
  line: number;
  train_step: number | null;
  /** Number of the prompt's group within its train step, from 0. */
  prompt_id: number;
  sample: number;
  prompt: string | null;
  answer: string | null;
  text: string;
  reward: number | null;
  /** One value per reward function; null = not applicable or None, NaN = printed NaN. */
  rewards: Map<string, number | null>;
  advantage: number | null;
  completion_tokens: number | null;
  truncated: boolean | null;
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
  /** Several runs in one log are split: 1 of 1 as a rule; `reason` says where it starts ("train step went back to 1"). */
  part: { index: number; of: number; reason: string };
  system: Guess<SystemName>;
  algorithm: Guess<AlgorithmName>;
  metrics: WideTable;
  /** Records of an evaluation (`eval_…`, `val-core/…`); names without the prefix. */
  evaluations: WideTable;
  reward_std_scope: { scope: RewardStdScope; reason: string };
  settings: ImportedSetting[];
  messages: ImportedMessage[];
  completions: ImportedCompletion[];
  /** Names as printed that have no column, with their counts. */
  unmapped: Map<string, number>;
  sources: ImportedSource[];
  skipped: Skipped[];
  /** Every printed value kept, row by row: built on demand. */
  observations(): Iterable<Observation>;
  /** The run as tables: what rules read. */
  readonly rows: RunRows;
}
