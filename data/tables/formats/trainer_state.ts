/** Metrics as the `trainer_state.json` of transformers, with TRL's names. @module */
import type { ColumnTable } from "arquero";
import type { MetricName } from "../../columns.ts";
import { columnArray } from "../column_array.ts";

/** Our column and what TRL's GRPOTrainer calls it. */
export const TRL_NAMES: Partial<Record<MetricName, string>> = {
  loss: "loss",
  grad_norm: "grad_norm",
  learning_rate: "learning_rate",
  reward: "reward",
  group_reward_std: "reward_std",
  zero_spread_fraction: "frac_reward_zero_std",
  entropy: "entropy",
  kl: "kl",
  clip_fraction: "clip_ratio/region_mean",
  completion_length: "completions/mean_length",
  completion_length_min: "completions/min_length",
  completion_length_max: "completions/max_length",
  terminated_length: "completions/mean_terminated_length",
  truncated_fraction: "completions/clipped_ratio",
};

/** TRL's `reward_std` is ours within groups: that over the batch needs another name there. */
const OTHER_NAMES: Readonly<Record<string, string>> = { reward_std: "batch_reward_std" };

/** What a column is called in a record: TRL's name, else ours. */
export function trainerStateName(column: string): string {
  return (TRL_NAMES as Readonly<Record<string, string>>)[column] ?? OTHER_NAMES[column] ?? column;
}

/**
 * JSON text with `global_step` and `log_history`, one record per line; absent values are left out, NaN is written as
 * Python writes it. Columns that TRL does not know stand under our names: nothing of the metrics is lost.
 */
export function toTrainerState(metrics: ColumnTable): string {
  const steps = columnArray(metrics, "train_step") as ArrayLike<number>;
  const names = metrics.columnNames(), known = Object.keys(TRL_NAMES).filter((column) => names.includes(column));
  const others = names.filter((column) => column !== "train_step" && !known.includes(column));
  const columns = [...known, ...others].map((column) =>
    [trainerStateName(column), columnArray(metrics, column) as ArrayLike<number | string | null>] as const
  );
  const history = Array.from(steps, (step, row) => {
    const present = columns.flatMap(([name, values]) => {
      const value = values[row];
      return value === null || value === undefined ? [] : [`${JSON.stringify(name)}: ${pythonValue(value)}`];
    });
    return `    {${[...present, `"step": ${step}`].join(", ")}}`;
  });
  const last = Array.from(steps).reduce((most, step) => Math.max(most, step), 0);
  return `{\n  "global_step": ${last},\n  "log_history": [\n${history.join(",\n")}\n  ]\n}\n`;
}

function pythonValue(value: number | string): string {
  // NaN, Infinity, -Infinity in Python as here.
  return typeof value === "string" || Number.isFinite(value) ? JSON.stringify(value) : String(value);
}
