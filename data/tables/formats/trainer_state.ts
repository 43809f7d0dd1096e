/**
 * Metrics as the `trainer_state.json` of transformers, with TRL's names.
 * @module
 */
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

/** JSON text with `global_step` and `log_history`; absent values are left out, NaN is written as Python writes it. */
export function toTrainerState(metrics: ColumnTable): string {
  const steps = columnArray(metrics, "train_step") as ArrayLike<number>;
  const columns = Object.entries(TRL_NAMES)
    .filter(([column]) => metrics.columnNames().includes(column))
    .map(([column, name]) => [name, columnArray(metrics, column) as ArrayLike<number | null>] as const);
  const history = Array.from(steps, (step, row) => {
    const present = columns.flatMap(([name, values]) => {
      const value = values[row];
      return value === null || value === undefined ? [] : [`${JSON.stringify(name)}: ${pythonNumber(value)}`];
    });
    return `    {${[...present, `"step": ${step}`].join(", ")}}`;
  });
  const last = Array.from(steps).reduce((most, step) => Math.max(most, step), 0);
  return `{\n  "global_step": ${last},\n  "log_history": [\n${history.join(",\n")}\n  ]\n}\n`;
}

function pythonNumber(value: number): string {
  return Number.isFinite(value) ? JSON.stringify(value) : String(value); // NaN, Infinity, -Infinity in Python as here
}
