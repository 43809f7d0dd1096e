/** What a run leaves for learning: its log as JSON lines under TRL's names, its settings, some completions. @module */
import type { ColumnTable } from "arquero";
import type { RunFolder } from "../../../data/open_run_folder.ts";
import { trainerStateName } from "../../../data/tables/formats/trainer_state.ts";
import { columnArray } from "../../../data/tables/mod.ts";
import { settingValues } from "../../../steps/options/settings_table.ts";

type Row = Record<string, number | string>;

/** Clocks say nothing of learning; the others follow from what is there. */
const LEFT_OUT = new Set([
  "train_step",
  "phase",
  "step_id",
  "advantage_mean",
  "advantage_std",
  "reward_std", // over the batch: TRL's is that of the groups
  "relative_update",
  "terminated_length",
  "chosen_logits",
  "rejected_logits",
  "expected_loss",
  "loss_tokens",
  "completions",
  "non_finite",
  "tokens_per_second",
  "update_size",
  "step_ms",
  "sample_ms",
  "score_ms",
  "update_ms",
  "approx_kl",
  "clip_fraction_low_min",
  "clip_fraction_high_max",
]);
/** Names under which logs are read, where our own is not. */
const NAMES: Readonly<Record<string, string>> = {
  accuracy: "accuracy",
  value_explained_variance: "critic/vf_explained_var",
  chosen_reward: "rewards/chosen",
  rejected_reward: "rewards/rejected",
  reward_margin: "rewards/margins",
  preference_accuracy: "rewards/accuracies",
  chosen_logprob: "logps/chosen",
  rejected_logprob: "logps/rejected",
  validation_accuracy: "eval_rewards/accuracies",
  validation_margin: "eval_rewards/margins",
  sampler_logprob_gap: "sampling/sampling_logp_difference/max",
};
/** Below this a gap between sampler and trainer is rounding. */
const ROUNDING = 1e-3;
const DIGITS = 6;

const short = (value: number) => Number(value.toPrecision(DIGITS));

/** Mean and spread over the train step's completions of each reward function, where there are several. */
function rewardRows({ pieces, columns }: ReturnType<RunFolder["pieces"]>): Map<number, Row> {
  const names = columns.filter((name) => name.startsWith("reward."));
  const rows = new Map<number, Row>();
  for (const piece of pieces) {
    const steps = columnArray(piece as ColumnTable, "train_step") as ArrayLike<number>;
    for (const name of names) {
      const cells = columnArray(piece as ColumnTable, name) as ArrayLike<number | null>;
      const values = new Map<number, number[]>();
      for (let i = 0; i < steps.length; i++) {
        const value = cells[i];
        if (typeof value !== "number") continue;
        const of = values.get(steps[i]!);
        if (of === undefined) values.set(steps[i]!, [value]);
        else of.push(value);
      }
      for (const [step, of] of values) {
        const mean = of.reduce((a, b) => a + b, 0) / of.length;
        const std = Math.sqrt(of.reduce((sum, value) => sum + (value - mean) ** 2, 0) / of.length);
        const row = rows.get(step) ?? {}, called = `rewards/${name.slice("reward.".length)}`;
        rows.set(step, Object.assign(row, { [`${called}/mean`]: short(mean), [`${called}/std`]: short(std) }));
      }
    }
  }
  return rows;
}

/** Share of right answers of each evaluation: `[train step, share]` in order, by the step's id without its number. */
export function evaluations(run: RunFolder): Map<string, [number, number][]> {
  const counts = new Map<string, Map<number, [number, number]>>();
  const table = run.table("evaluations");
  const [steps, ids, right] = ["train_step", "step_id", "correct"].map((name) => columnArray(table, name));
  for (let i = 0; i < table.numRows(); i++) {
    const id = String(ids![i]).replace(/_\d+$/, "").replace(/^(before|after)$/, "held_out");
    const of = counts.get(id) ?? new Map<number, [number, number]>();
    counts.set(id, of);
    const [yes, all] = of.get(Number(steps![i])) ?? [0, 0];
    of.set(Number(steps![i]), [yes + +(right![i] === true), all + 1]);
  }
  return new Map(
    [...counts].map(([id, of]) => [
      id,
      [...of].map(([step, [yes, all]]): [number, number] => [step, short(yes / all)]).sort((a, b) => a[0] - b[0]),
    ]),
  );
}

/** One record per train step, a record of each evaluation behind its train step. */
export function logRows(run: RunFolder): Row[] {
  const metrics = run.table("metrics"), rewards = rewardRows(run.pieces("completions"));
  const steps = columnArray(metrics, "train_step") as ArrayLike<number>;
  const columns = metrics.columnNames().filter((name) => !LEFT_OUT.has(name)).flatMap((name) => {
    const cells = Array.from(columnArray(metrics, name) as ArrayLike<unknown>);
    const numbers = cells.filter((cell) => typeof cell === "number");
    const tells = name === "sampler_logprob_gap" ? numbers.some((gap) => gap > ROUNDING) : numbers.length > 0;
    const isIdle = /^(clip_fraction|ratio_mean|dual_clip)/.test(name) && new Set(numbers).size < 2;
    return tells && !isIdle ? [[NAMES[name] ?? trainerStateName(name), cells] as const] : [];
  });
  const evaluated = [...evaluations(run)];
  const asked = new Map<number, Row>();
  for (const [id, shares] of evaluated) {
    for (const [step, share] of shares) {
      asked.set(step, { ...asked.get(step), [`eval_${id}/accuracy`]: share });
    }
  }
  const rows: Row[] = asked.has(0) ? [{ step: 0, ...asked.get(0)! }] : [];
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i]!, row: Row = { step };
    const measured: Row = {};
    for (const [name, cells] of columns) {
      const cell = cells[i];
      if (typeof cell !== "number") continue;
      (name.startsWith("eval_") ? measured : row)[name] = Number.isFinite(cell) ? short(cell) : String(cell);
    }
    rows.push({ ...row, ...rewards.get(step) });
    const evaluation = { ...measured, ...asked.get(step) };
    if (Object.keys(evaluation).length > 0) rows.push({ step, ...evaluation });
  }
  return rows;
}

/** Names that mean something else to TRL. */
const OTHER_OPTIONS = new Set(["epsilon"]);

/** Options in force as `key: value` lines. */
export function settingLines(run: RunFolder): string {
  const values = [...settingValues(run.table("settings"))];
  return values.filter(([name]) => !OTHER_OPTIONS.has(name)).filter(([, value]) =>
    ["string", "number", "boolean"].includes(typeof value)
  )
    .filter(([, value]) => !String(value).includes("/")).map(([name, value]) => `${name}: ${value}\n`).join("");
}

const KEPT_STEPS = 6, KEPT_ROWS = 8;

/** The first completions of some train steps, evenly chosen, as TRL keeps them. */
export function completionRows(run: RunFolder): Row[] {
  const table = run.table("completions");
  if (table.numRows() === 0) return [];
  const cells = Object.fromEntries(
    ["train_step", "prompt", "text", "reward"].map((name) => [name, columnArray(table, name)]),
  );
  const steps = [...new Set(Array.from(cells["train_step"] as ArrayLike<number>))];
  const wanted = new Map(
    Array.from({ length: KEPT_STEPS }, (_, i) => [steps[Math.round(i * (steps.length - 1) / (KEPT_STEPS - 1))]!, 0]),
  );
  const rows: Row[] = [];
  for (let i = 0; i < table.numRows(); i++) {
    const step = Number(cells["train_step"]![i]), taken = wanted.get(step);
    if (taken === undefined || taken >= KEPT_ROWS) continue;
    wanted.set(step, taken + 1);
    const reward = cells["reward"]![i];
    rows.push({
      step,
      prompt: String(cells["prompt"]![i]),
      completion: String(cells["text"]![i]),
      ...(typeof reward === "number" ? { reward: short(reward) } : {}),
    });
  }
  return rows;
}
