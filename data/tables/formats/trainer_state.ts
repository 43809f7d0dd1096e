/** Metrics as the `trainer_state.json` of transformers, with TRL's names. @module */
import type { MetricName } from "../../columns.ts";
import type { TrackedStep } from "./tracked_steps.ts";

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

/** What TRL calls the mean of a reward function; ours is `reward.<name>`. */
function rewardName(column: string): string {
  return `rewards/${column.slice("reward.".length)}/mean`;
}

/**
 * JSON text, line by line: `global_step` and `log_history` with a record per row; absent values are left out, NaN is written
 * as Python writes it. Columns that TRL does not know stand under our names: nothing of the metrics is lost.
 */
export function* toTrainerState(steps: Iterable<TrackedStep>, rows: number, last: number): Generator<string> {
  const whole = {
    best_metric: null,
    epoch: null,
    global_step: last,
    is_world_process_zero: true,
    logging_steps: 1,
    max_steps: last,
  };
  const lines = Object.entries(whole).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`);
  yield `{\n${lines.join("")}  "log_history": [\n`;
  let left = rows;
  for (const { trainStep, phase, stepId, values } of steps) {
    const known = values.map(([column, value]) =>
      [column.startsWith("reward.") ? rewardName(column) : trainerStateName(column), value] as const
    );
    const record = [...known, ["phase", phase], ...stepId === null ? [] : [["step_id", stepId]], [
      "step",
      trainStep,
    ]] as const;
    const text = record.map(([name, value]) => `${JSON.stringify(name)}: ${pythonValue(value!)}`).join(", ");
    yield `    {${text}}${--left > 0 ? "," : ""}\n`;
  }
  yield "  ]\n}\n";
}

function pythonValue(value: number | string): string {
  // NaN, Infinity, -Infinity in Python as here.
  return typeof value === "string" || Number.isFinite(value) ? JSON.stringify(value) : String(value);
}
