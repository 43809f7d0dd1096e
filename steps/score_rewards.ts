/** The step `score_rewards`: every completion gets its rewards, their weighted sum, and whether it is right. @module */
import { resolve } from "@deno/std/path/resolve.js";
import type { ColumnTable } from "arquero";
import { z } from "zod";
import { isFile } from "../data/file_system.ts";
import { groupNumbers, moments, zeroSpreadFraction } from "../data/statistics/mod.ts";
import { columnArray, tableOf } from "../data/tables/mod.ts";
import type { PromptRow } from "../data/tasks/mod.ts";
import { withoutEffect } from "./options/without_effect.ts";
import { entryName, isUserFile, type RewardEntry, rewardEntry, rewardOf } from "./rewards/entry.ts";
import { judge } from "./rewards/programs/judge.ts";
import { REWARDS } from "./rewards/mod.ts";
import type { RewardBatch } from "./rewards/reward.ts";
import { scoreUserCode, type UserReward } from "./rewards/user_code.ts";
import { weightedSum } from "./rewards/weighted_sum.ts";
import { defineStep, type Earlier, type StepContext, type StepGrant, type TableName } from "./step.ts";

const params = z.strictObject({
  rewards: z.array(rewardEntry).min(1).describe(
    "reward functions, added up by weight; null of one leaves the sum to the others, null of all is no reward: it enters " +
      "no mean and gets advantage 0",
  ),
  on_error: z.enum(["stop", "drop", "retry"]).default("stop").describe(
    "when a file's code throws, hangs or returns no number, or a pattern does not end: stop the run; drop the completion (its reward is null: it " +
      "enters no mean and gets advantage 0); or retry in a fresh process, then stop",
  ),
  retries: z.int().min(1).max(100).default(2).describe("further attempts of on_error: retry"),
  timeout_seconds: z.number().positive().max(86_400).default(10).describe(
    "time that a file's code, or a pattern, has for one batch",
  ),
  memory_mb: z.int().min(64).default(512).describe(
    "resident memory of the process that runs a file's code, about 60 MB of it the runtime",
  ),
});

type Params = z.output<typeof params>;

export const scoreRewards = defineStep({
  about: "Score completions by reward functions and by the task's verifier",
  params,
  paths: { "rewards.*.uses": Object.keys(REWARDS) },
  reads: {
    prompts: ["prompt_id", "prompt", "answer"],
    completions: [
      "prompt_id",
      "sample",
      "text",
      "completion_tokens",
      "truncated",
      { column: "greedy_text", optional: true },
      { column: "greedy_tokens", optional: true },
      { column: "greedy_truncated", optional: true },
    ],
  },
  writes: {
    completions: ["reward", "correct", {
      column: "greedy_reward",
      only: "after sample_greedy",
      when: (_: unknown, earlier: Earlier) => earlier("sample_greedy") !== null,
    }],
  },
  needsFor: ({ rewards }) => rewards.some(readsModel) ? ["reward_model"] : [],
  timedAs: "score",
  decidesReward: "all",
  grants: (written, folder) =>
    Array.isArray(written["rewards"])
      ? written["rewards"].flatMap((entry, index) => grantsOf(entry, ["rewards", index], folder))
      : [],
  outputs: z.object({
    reward: z.number().nullable().describe("mean reward of the scored completions"),
    reward_std: z.number().nullable().describe("standard deviation of the reward over the batch"),
    accuracy: z.number().nullable().describe("fraction of completions the verifier accepts, null without verifier"),
    zero_spread_fraction: z.number().nullable().describe("fraction of groups of two rewards or more, all equal"),
    dropped: z.int().describe("completions without a reward because a reward function failed on them"),
  }),
  check(given) {
    const { rewards, on_error } = given;
    const names = rewards.map(entryName);
    const limits = ["on_error", "retries", "timeout_seconds", "memory_mb"] as const;
    const idle = rewards.some((entry) => isUserFile(entry.uses) || isolatedCode(entry) !== null)
      ? on_error === "retry"
        ? []
        : withoutEffect(given, params.shape, ["retries"], `on_error is "${on_error}", want retry`)
      : withoutEffect(given, params.shape, limits, "no reward is a file of your own or a pattern");
    const twice = names.filter((name, i) => names.indexOf(name) !== i).map((name) =>
      `Cannot score two rewards into column "reward.${name}": give one of them another name`
    );
    return [...twice, ...idle];
  },
  async run(given, context) {
    const completions = context.table("completions");
    const batch = batchOf(completions, context.table("prompts"));
    const correct = await judge(batch.texts, batch.rows, context);
    const dropped = new Set<number>();
    const columns: Record<string, (number | null)[]> = {};
    for (const entry of given.rewards) {
      columns[entryName(entry)] = await scored(entry, { ...batch, correct }, given, context, dropped);
    }
    const weights = given.rewards.map(({ weight }) => weight);
    const reward = batch.texts.map((_, row) =>
      dropped.has(row) ? null : weightedSum(Object.values(columns).map((column) => column[row]!), weights)
    );
    const scores = tableOf("completions", {
      ...Object.fromEntries(Object.entries(columns).map(([name, values]) => [`reward.${name}`, values])),
      reward,
      correct,
      ...completions.column("greedy_text") ? { greedy_reward: await greedyRewards(given, context) } : {},
    });
    const { mean, std } = moments(reward);
    const judged = correct.filter((right) => right !== null);
    return {
      tables: { completions: completions.assign(scores) },
      outputs: {
        reward: finiteOrNull(mean),
        reward_std: finiteOrNull(std),
        accuracy: judged.length === 0 ? null : judged.filter(Boolean).length / judged.length,
        zero_spread_fraction: zeroSpreadFraction(reward, groupNumbers(completions)),
        dropped: dropped.size,
      },
    };
  },
});

/** The reward of each completion's greedy one: that of the same functions on a table with one row per prompt. */
async function greedyRewards(given: Params, context: StepContext): Promise<(number | null)[]> {
  const completions = context.table("completions");
  const ids = Array.from(columnArray(completions, "prompt_id") as ArrayLike<number>);
  const firsts = [...new Map(ids.map((id, row) => [id, row]).reverse() as [number, number][]).values()].reverse();
  const of = (name: string) => {
    const values = columnArray(completions, name);
    return firsts.map((row) => values[row]);
  };
  const greedy = tableOf("completions", {
    prompt_id: of("prompt_id"),
    sample: firsts.map(() => 0),
    text: of("greedy_text"),
    completion_tokens: of("greedy_tokens"),
    truncated: of("greedy_truncated"),
  });
  const table = (name: TableName) => name === "completions" ? greedy : context.table(name);
  const { tables } = await scoreRewards.run(given, { ...context, table });
  const rewards = columnArray(tables!.completions!, "reward") as ArrayLike<number | null>;
  const places = new Map(firsts.map((row, i) => [ids[row]!, i]));
  return ids.map((id) => rewards[places.get(id)!] ?? null);
}

const readsModel = ({ uses }: RewardEntry) => !isUserFile(uses) && rewardOf(uses).readsModel === true;

/** What the run's reward model says of a batch; a score that is not finite is an error of the model. */
async function modelScores(batch: RewardBatch, context: StepContext): Promise<readonly number[]> {
  const scores = await context.resource("reward_model").scoresOf(batch, context.table("completions"));
  const bad = scores.findIndex((score) => !Number.isFinite(score));
  if (bad < 0) return scores;
  throw new RangeError(
    `Cannot score with reward "reward_model": it gives completion ${bad} ${scores[bad]}, want a finite number; train ` +
      "the model anew with a lower learning_rate",
  );
}

const finiteOrNull = (value: number) => Number.isFinite(value) ? value : null;

/** The completions as reward functions see them, joined with the rows of `prompts`. */
function batchOf(completions: ColumnTable, prompts: ColumnTable): RewardBatch {
  if (completions.numRows() === 0) throw new RangeError(`Cannot score rewards: table "completions" has no rows`);
  const rowOf = promptRows(prompts);
  const rows = Array.from(columnArray(completions, "prompt_id") as ArrayLike<number>, rowOf);
  const column = <Value>(name: string) => Array.from(columnArray(completions, name) as ArrayLike<Value>);
  return {
    prompts: rows.map((row) => String(row.prompt)),
    texts: column<string>("text"),
    answers: rows.map((row) => String(row.answer ?? "")),
    completion_tokens: column<number>("completion_tokens"),
    truncated: column<boolean>("truncated"),
    rows,
  };
}

/** Looks up rows of `prompts` by prompt_id, each made once: there may be many more prompts than a batch has. */
function promptRows(prompts: ColumnTable): (id: number) => PromptRow {
  const columns = prompts.columnNames().map((name) => [name, columnArray(prompts, name)] as const);
  const ids = columnArray(prompts, "prompt_id") as number[] | Int32Array;
  const made = new Map<number, PromptRow>();
  return (id) => {
    const known = made.get(id);
    if (known) return known;
    const at = ids[id] === id ? id : ids.indexOf(id);
    if (at < 0) throw new RangeError(`Cannot score rewards: prompt ${id} of table "completions" is not in "prompts"`);
    const row = Object.fromEntries(columns.map(([name, values]) => [name, values[at]]));
    made.set(id, row);
    return row;
  };
}

/** Values of one entry; a value that is not finite is an error whoever computed it. */
async function scored(
  entry: RewardEntry,
  { correct, ...batch }: RewardBatch & { readonly correct: readonly (boolean | null)[] },
  given: Params,
  context: StepContext,
  dropped: Set<number>,
): Promise<(number | null)[]> {
  const name = entryName(entry);
  const code = isUserFile(entry.uses) ? userCode(entry, context) : isolatedCode(entry);
  if (code === null) {
    const reward = rewardOf(entry.uses);
    const own = { ...batch, correct, ...(reward.readsModel && { model_scores: await modelScores(batch, context) }) };
    return [...reward.score(reward.params.parse(entry.with), own)];
  }
  const limits = {
    timeoutMs: given.timeout_seconds * 1000,
    memoryBytes: given.memory_mb * 2 ** 20,
    net: entry.permissions?.net ?? [],
  };
  let failures = 0;
  const values = await scoreUserCode(
    { name, limits, ...code },
    batch,
    { onError: given.on_error, retries: given.retries },
    {
      runId: context.runId,
      stepId: context.stepId,
      signal: context.signal,
      print: (text) => context.emit({ event: "reward_printed", reward: name, text }),
      dropped(sample, reason) {
        dropped.add(sample);
        if (++failures <= TOLD) {
          context.emit({ event: "reward_failed", reward: name, sample, prompt: batch.prompts[sample], reason });
        }
      },
    },
  );
  if (failures > TOLD) {
    const text = `Reward "${name}" failed on ${failures - TOLD} further completions of this batch`;
    context.emit({ event: "message", text });
  }
  return values;
}

const TOLD = 20; // Events of failed completions per batch: the rest is counted.

type Code = Pick<UserReward, "path" | "options" | "trusted" | "remedy">;

function userCode(entry: RewardEntry, context: StepContext): Code {
  const path = resolve(context.folders.workflow, entry.uses) as string;
  if (!isFile(path)) {
    throw new RangeError(`Cannot score with reward "${entryName(entry)}": there is no file ${path}`);
  }
  return { path, options: entry.with, trusted: entry.trusted, remedy: "mend the function" };
}

/** What a built-in function runs in the sandbox, because a parameter of a person's could keep it from ending. */
function isolatedCode(entry: RewardEntry): Code | null {
  const reward = rewardOf(entry.uses);
  const isolated = reward.isolated?.(reward.params.parse(entry.with)) ?? null;
  if (isolated === null) return null;
  const remedy = "simplify the pattern, no repetition inside a repetition such as (a+)+";
  return { path: isolated.file, options: isolated.options, trusted: false, remedy };
}

/** A file of the user's computes and nothing else, unless its entry asks for more. */
function grantsOf(
  { uses: written, name, trusted, permissions }: Readonly<Record<string, unknown>>,
  key: readonly (string | number)[],
  folder: string,
): readonly StepGrant[] {
  const uses = String(written), file = resolve(folder, uses);
  if (!isUserFile(uses)) return [];
  if (trusted !== undefined && trusted !== false) {
    const text = `runs ${file} inside this program: it may read, write, start programs and use the network as you may`;
    return [{ text, key: [...key, "trusted"] }];
  }
  const hosts = (permissions as { readonly net?: readonly unknown[] } | undefined)?.net ?? [];
  if (hosts.length === 0) return [];
  const reward = entryName({ uses, name: name as string | undefined });
  const text = `lets ${file} (reward "${reward}") send prompts, answers and completions to ${hosts.join(", ")}`;
  return [{ text, key: [...key, "permissions", "net"] }];
}
