/** The step `evaluate`: the fraction of prompts of a split that the policy solves, sampled and greedy. @module */
import { z } from "zod";
import { columnArray, tableOf, tableOfRows } from "../data/tables/mod.ts";
import { moments } from "../data/statistics/mod.ts";
import type { PromptRow } from "../data/tasks/mod.ts";
import { EVALUATION_MODES } from "../data/run_folder.ts";
import { type Cost, type CostFacts, FLOPS } from "./cost/cost.ts";
import { atOnce, decodingBytes } from "./cost/memory.ts";
import { PLAIN_SAMPLING } from "./options/sampling_settings.ts";
import { type RewardEntry, rewardEntry } from "./rewards/entry.ts";
import { REWARDS } from "./rewards/mod.ts";
import { judge } from "./rewards/programs/judge.ts";
import type { Policy } from "./resources/policy.ts";
import type { SampleRequest } from "./resources/sampler.ts";
import { scoreRewards } from "./score_rewards.ts";
import { defineStep, type StepContext, type TableName } from "./step.ts";

/** Temperatures. */
const MODES = { sampled: 1, greedy: 0 } as const satisfies Record<(typeof EVALUATION_MODES)[number], number>;
type Mode = keyof typeof MODES;

const params = z.strictObject({
  split: z.enum(["train", "validation", "held_out"]).default("held_out").describe("which prompts are asked"),
  limit: z.int().min(1).optional().describe("prompts at most, the first of the split; all if absent"),
  modes: z.array(z.enum(EVALUATION_MODES)).min(1).default(["sampled"]).describe(
    "sampled: one completion at temperature 1; greedy: the most likely token each time",
  ),
  max_new_tokens: z.int().min(1).optional().describe("longest completion, tokens; the longest answer plus 1 if absent"),
  rewards: z.array(rewardEntry).default([]).describe(
    "reward functions that score the completions too, as in score_rewards; what they give stands in the table evaluations",
  ),
});

/** Bytes that rows are decoded in at once where no budget says less: of a small model all of them, of a large one some. */
const AT_ONCE = 1e9;

type Params = z.output<typeof params>;

type Asking = Pick<SampleRequest, "maxNewTokens" | "rowsAtOnce">;

const meanReward = z.number().nullable().describe("mean reward, null when mode or rewards were not asked for");
const share = z.number().nullable().describe(
  "fraction of prompts solved, null when the mode was not asked for or no verifier says what is solved",
);

export const evaluate = defineStep({
  about: "Measure how many prompts of a split the policy solves",
  params,
  reads: { prompts: ["prompt_id", "prompt", "answer", "split"] },
  writes: {
    evaluations: [
      ...["train_step", "step_id", "mode", "prompt_id", "prompt", "answer", "text", "correct", "truncated"] as const,
      {
        column: "reward",
        only: "with rewards",
        when: ({ rewards }: { rewards: readonly unknown[] }) => rewards.length > 0,
      },
    ],
  },
  needs: ["policy"],
  measures: true,
  cost: evaluationCost,
  outputs: z.object({
    sampled: share,
    greedy: share,
    sampled_reward: meanReward,
    greedy_reward: meanReward,
    split: z.string().describe("of which the prompts are"),
    prompts: z.int().describe("prompts asked"),
    truncated_fraction: z.number().describe("fraction of completions that reached max_new_tokens"),
  }),
  paths: { "rewards.*.uses": Object.keys(REWARDS) },
  check: ({ rewards }) => rewards.length === 0 ? [] : scoreRewards.check!(scoring(rewards)),
  needsFor: ({ rewards }) => rewards.length === 0 ? [] : scoreRewards.needsFor!(scoring(rewards)),
  grants: (written, folder) => scoreRewards.grants?.(written, folder) ?? [],
  async run({ split, limit, modes, max_new_tokens, rewards }, context) {
    const policy = context.resource("policy");
    const rows = (context.table("prompts").objects() as PromptRow[]).filter((row) => row.split === split)
      .slice(0, limit);
    if (!rows.length) {
      throw new RangeError(
        `Cannot evaluate: table "prompts" has no row of split "${split}"; give load_prompts more prompts`,
      );
    }
    const completionTokens = max_new_tokens ??
      Math.max(...rows.map((row) => policy.encodeAnswer(String(row.answer)).length)) + 1;
    const longest = Math.max(...rows.map(({ prompt }) => policy.encodePrompt(String(prompt), 0).length));
    const asking = {
      maxNewTokens: completionTokens,
      rowsAtOnce: rowsAtOnce(policy, rows.length, longest, completionTokens),
    };
    const shares: Record<Mode, number | null> = { sampled: null, greedy: null };
    const means: Record<Mode, number | null> = { sampled: null, greedy: null };
    const out: Record<string, unknown>[] = [];
    let truncated = 0;
    for (const mode of modes) {
      const judged = await answers(context, rows, mode, asking, rewards.length > 0);
      const scores = rewards.length === 0 ? null : await scored(context, judged, rewards);
      const answered = judged.map(({ completion_tokens: _, ...row }, i) => ({ ...row, ...scores?.rows[i] }));
      if (scores) {
        means[mode] = scores.mean;
        context.emit({ event: "message", text: `${split}, ${mode}: ${scores.text}` });
      }
      // Without a verifier nobody knows what is solved, which is not the same as nothing.
      const isJudged = answered.some(({ correct }) => correct !== null);
      shares[mode] = isJudged ? answered.filter(({ correct }) => correct === true).length / rows.length : null;
      truncated += answered.filter((row) => row.truncated).length / modes.length;
      out.push(...answered);
    }
    return {
      tables: { evaluations: tableOfRows("evaluations", out) },
      outputs: {
        ...shares,
        sampled_reward: means.sampled,
        greedy_reward: means.greedy,
        split,
        prompts: rows.length,
        truncated_fraction: truncated / rows.length,
      },
    };
  },
});

/** How many rows are decoded at once; 0, all, where a budget decides. */
function rowsAtOnce({ model }: Policy, rows: number, promptTokens: number, completionTokens: number): number {
  if (model.runtime.budget !== null) return 0;
  const { config, adapted, weights } = model;
  const kind = { adapter: adapted?.adapter ?? null, bits: (adapted?.base ?? weights).bits };
  const shape = { group: 1, promptTokens, completionTokens };
  return Math.max(1, atOnce(AT_ONCE, rows, (prompts) => decodingBytes(config, { ...shape, prompts }, kind)));
}

/** The most rows at once: those of `limit`, or what fits; how many there are in a split is not known before. */
function evaluationCost({ limit, modes, max_new_tokens }: Params, facts: CostFacts): Cost {
  const { config, parameters, adapter, samplingBits: bits, promptTokens, answerTokens, free = null } = facts;
  const completionTokens = max_new_tokens ?? answerTokens, shape = { group: 1, promptTokens, completionTokens };
  const bytesOf = (prompts: number) => decodingBytes(config, { ...shape, prompts }, { adapter, bits });
  const prompts = Math.max(1, atOnce(Math.min(AT_ONCE, free ?? AT_ONCE), limit ?? MOST_ROWS, bytesOf));
  return {
    flops: FLOPS.sampled * parameters * modes.length * (limit ?? 0) * completionTokens,
    trainSteps: 0,
    peak: {
      key: "max_new_tokens",
      bytes: bytesOf(prompts),
      what: `evaluating ${prompts} prompts with completions of up to ${completionTokens} tokens at once`,
      remedy: "lower max_new_tokens",
    },
  };
}

/** Rows of a split, where nothing says how many: a task has so many, a file may have more. */
const MOST_ROWS = 1000;

/** One completion per prompt, judged by the task's verifier: rows of the table `evaluations`. */
async function answers(
  context: StepContext,
  rows: readonly PromptRow[],
  mode: Mode,
  asking: Asking,
  scores: boolean,
) {
  const { sampler } = context.resource("policy"), { seed, trainStep, stepId } = context;
  const completions = await sampler.sample(rows.map((row) => String(row.prompt)), {
    group: 1,
    ...asking,
    values: { ...PLAIN_SAMPLING, temperature: MODES[mode] },
    draws: { seed, stream: "evaluate", trainStep },
  }, () => context.safePoint());
  const right = await judge(completions.map(({ text }) => text), rows, context);
  const answered = completions.map(({ text, truncated, tokenIds }, i) => {
    const { prompt_id, prompt, answer } = rows[i]!, correct = right[i]!;
    const row = { train_step: trainStep, step_id: stepId, mode, prompt_id, prompt, answer, text, correct, truncated };
    return { ...row, completion_tokens: tokenIds.length };
  });
  if (!scores && answered.every(({ correct }) => correct === null)) {
    throw new RangeError(
      'Cannot evaluate: the prompts name no verifier; set "verifier" of load_prompts, or give evaluate rewards',
    );
  }
  return answered;
}

/** The settings of score_rewards that a list of rewards asks for. */
const scoring = (rewards: readonly RewardEntry[]) => scoreRewards.params.parse({ rewards });

/** What reward functions give the completions of an evaluation, one per prompt, by the step that scores a rollout. */
async function scored(
  context: StepContext,
  answered: Awaited<ReturnType<typeof answers>>,
  rewards: readonly RewardEntry[],
) {
  const completions = tableOf("completions", {
    prompt_id: answered.map(({ prompt_id }) => prompt_id),
    sample: answered.map(() => 0),
    text: answered.map(({ text }) => text),
    completion_tokens: answered.map(({ completion_tokens }) => completion_tokens),
    truncated: answered.map(({ truncated }) => truncated),
  });
  const table = (name: TableName) => name === "completions" ? completions : context.table(name);
  const { tables } = await scoreRewards.run(scoring(rewards), { ...context, table });
  const columns = tables!.completions!.columnNames().filter((name) => name === "reward" || name.startsWith("reward."));
  const values = columns.map((name) =>
    [name, Array.from(columnArray(tables!.completions!, name) as ArrayLike<number | null>)] as const
  );
  const mean = (numbers: readonly (number | null)[]) => {
    const { mean } = moments(numbers);
    return Number.isFinite(mean) ? mean : null;
  };
  return {
    rows: answered.map((_, i) => Object.fromEntries(values.map(([name, numbers]) => [name, numbers[i]!]))),
    mean: mean(values.find(([name]) => name === "reward")![1]),
    text: values.map(([name, numbers]) => `${name.replace(/^reward\./, "")} ${mean(numbers)?.toFixed(3) ?? "none"}`)
      .join(", "),
  };
}
