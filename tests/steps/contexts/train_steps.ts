/** Rows of `metrics` as a rollout's update writes them, without one. */
import { tableOf } from "../../../data/tables/mod.ts";
import type { TrainingRun } from "./training_run.ts";

/** Train steps of a run: healthy ones, or with a column changed. */
export function trainSteps(run: TrainingRun, count: number, change: Record<string, number | null> = {}): void {
  for (let step = 0; step < count; step++) {
    const train_step = run.tables.advance(), noise = Math.sin(train_step) / 50;
    const values = {
      loss: 0.01 + noise,
      reward: 0.4 + noise,
      reward_std: 0.4,
      group_reward_std: 0.3,
      zero_spread_fraction: 0.2,
      accuracy: 0.4 + noise,
      entropy: 1.1 + noise,
      grad_norm: 0.5 + noise,
      learning_rate: 1e-4,
      update_size: 0.5,
      relative_update: 1e-4,
      completion_length: 12,
      truncated_fraction: 0,
      unique_fraction: 0.9,
      clip_fraction: 0.01,
      ratio_mean: 1,
      loss_tokens: 800,
      non_finite: 0,
      ...change,
    };
    const columns = Object.entries(values).map(([name, value]) => [name, [value]]);
    run.tables.write({
      metrics: tableOf("metrics", {
        train_step: [train_step],
        phase: ["rollout"],
        step_id: ["apply_update"],
        ...Object.fromEntries(columns),
      }),
    }, "apply_update");
  }
}

/** Train steps in which completions grow from 40 tokens to 400 while nothing else does. */
export function growing(run: TrainingRun, from: number, to: number): void {
  for (let step = from; step <= to; step++) {
    const noise = Math.sin(7.3 * step);
    trainSteps(run, 1, {
      completion_length: 40 + 0.6 * step + 4 * noise,
      reward: 0.4 + noise / 40,
      accuracy: 0.4 + noise / 40,
    });
  }
}
