/** The view of our own run, from the tables of the last train steps. @module */
import { columnArray } from "../../../data/tables/mod.ts";
import { groupNumbers } from "../../../data/statistics/groups.ts";
import type { StepContext } from "../../step.ts";
import { scoresOf } from "./scores.ts";
import { type Cells, type Completion, type Message, RunView, type Setting } from "./run_view.ts";

/** Completions whose text is read: texts cost more than numbers, and shares of 128 are exact enough. */
const MOST = 128;

/** Evaluations are few and far between: a fall shows against those of this many windows. */
const EVALUATION_WINDOWS = 16;

/** Text columns of `metrics`: everything else is a number. */
const NOT_NUMBERS = new Set(["phase", "step_id", "train_step"]);

/**
 * Reads the rollout rows of `metrics` in a window, this train step's completions, and the settings in force. Before the
 * first rollout the rows of a supervised warm start are read instead.
 */
export function runView(context: StepContext, window: number): RunView {
  const metrics = context.history("metrics", window);
  const phases = metrics.column("phase") ? columnArray(metrics, "phase") : [];
  const rows: number[] = [];
  const supervised = metrics.numRows() > 0 && context.table("completions").numRows() === 0 &&
    Array.prototype.every.call(phases, (phase) => phase === "sft");
  for (let i = 0; i < metrics.numRows(); i++) if (supervised || phases[i] !== "sft") rows.push(i);
  const pick = (name: string) => {
    const values = columnArray(metrics, name) as ArrayLike<number | null>;
    return rows.map((row) => values[row] ?? null);
  };
  const columns = new Map<string, Cells>();
  for (const name of metrics.columnNames()) if (!NOT_NUMBERS.has(name)) columns.set(name, pick(name));
  const settings = settingsOf(context);
  return new RunView({
    system: "nonzero",
    algorithm: supervised ? "sft" : estimatorOf(settings),
    imported: false,
    trainSteps: pick("train_step") as number[],
    columns,
    scores: scoresOf(context.history("evaluations", EVALUATION_WINDOWS * window), context.table("prompts")),
    rewardStdScope: "batch",
    settings: supervised ? settings.map(supervisedName) : settings,
    messages: messagesOf(context, window),
    completions: completionsOf(context),
  });
}

/** The estimator in force; `compute_advantages` says which. */
function estimatorOf(settings: readonly Setting[]): string {
  const named = settings.find((entry) => entry.name === "algorithm")?.value;
  return named === "reinforce_plus_plus" ? "reinforce" : typeof named === "string" ? named : "grpo";
}

/** `fine_tune` writes its options under their own names, beside those of the updates that follow. */
function supervisedName(setting: Setting): Setting {
  return setting.name === "sft_learning_rate" ? { ...setting, option: "learning_rate" } : setting;
}

function settingsOf(context: StepContext): Setting[] {
  const table = context.table("settings");
  if (!table.numRows()) return [];
  const [names, values, types, sources] = ["name", "value", "written_type", "source"].map((c) =>
    columnArray(table, c) as ArrayLike<string>
  );
  return Array.from(names!, (name, i) => ({
    option: name,
    name,
    value: JSON.parse(values![i]!),
    writtenType: types![i]!,
    system: "nonzero",
    source: sources![i]!,
    line: null,
  }));
}

/** What steps recognised besides numbers, such as the first tensor that is not finite. */
function messagesOf(context: StepContext, window: number): Message[] {
  const table = context.history("messages", window);
  if (!table.numRows()) return [];
  const column = <T>(name: string) => columnArray(table, name) as ArrayLike<T>;
  const kinds = column<string>("kind"), texts = column<string>("text"), steps = column<number>("train_step");
  return Array.from(kinds, (kind, i) => ({
    kind,
    text: texts[i]!,
    value: null,
    trainStep: steps[i]!,
    count: 1,
    source: null,
    line: null,
  }));
}

function completionsOf(context: StepContext): Completion[] {
  const table = context.table("completions");
  if (!table.numRows()) return [];
  const column = <T>(name: string): ArrayLike<T> | null =>
    table.column(name) ? columnArray(table, name) as ArrayLike<T> : null;
  const rewards = table.columnNames().filter((name) => name.startsWith("reward."))
    .map((name) => [name.slice("reward.".length), column<number | null>(name)!] as const);
  const prompts = column<string>("prompt"), texts = column<string>("text")!, answers = column<string>("answer");
  const firsts = new Map<number, number>();
  // A prompt drawn twice in a train step has two groups: the second gets a number of its own.
  const apart = (id: number, group: number) => {
    if (!firsts.has(id)) firsts.set(id, group);
    return firsts.get(id) === group ? id : -1 - group;
  };
  const ids = column<number>("prompt_id")!, truncated = column<boolean>("truncated")!;
  const groups = table.column("sample") ? groupNumbers(table) : ids;
  const tokens = column<number>("completion_tokens")!, reward = column<number | null>("reward");
  const advantage = column<number | null>("advantage"), correct = column<boolean | null>("correct");
  const masks = column<ArrayLike<number>>("completion_mask");
  return Array.from({ length: wholeGroups(ids) }, (_, i) => ({
    trainStep: context.trainStep,
    promptId: apart(ids[i]!, groups[i]!),
    prompt: prompts?.[i] ?? null,
    text: texts[i]!,
    cut: false,
    answer: answers?.[i] ?? null,
    truncated: truncated[i]!,
    tokens: tokens[i]!,
    reward: reward?.[i] ?? null,
    rewards: Object.fromEntries(rewards.map(([name, values]) => [name, values[i] ?? null])),
    advantage: advantage?.[i] ?? null,
    correct: correct?.[i] ?? null,
    ...(masks ? { lossTokens: sum(masks[i]!) } : {}),
    source: null,
    line: null,
  }));
}

/** How many of the first rows to read: whole groups only, at least one. */
function wholeGroups(ids: ArrayLike<number>): number {
  if (ids.length <= MOST) return ids.length;
  let end = MOST;
  while (end > 0 && ids[end] === ids[end - 1]) end--;
  if (end > 0) return end;
  for (end = MOST; end < ids.length && ids[end] === ids[0]; end++);
  return end;
}

function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i]!;
  return total;
}
