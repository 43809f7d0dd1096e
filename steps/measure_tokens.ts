/** The step `measure_tokens`: what a forward pass says of each token of the completions. @module */
import { z } from "zod";
import { groupRows } from "../data/statistics/mod.ts";
import { columnArray, tableOf } from "../data/tables/mod.ts";
import { type Cost, type CostFacts, FLOPS, passImages } from "./cost/cost.ts";
import { trainingBytes } from "./cost/memory.ts";
import { logprobTemperature, PLAIN_SAMPLING } from "./options/sampling_settings.ts";
import { settingValues } from "./options/settings_table.ts";
import { PROMPTS_PER_PASS } from "./resources/policy.ts";
import type { SampleGroups } from "./sample_groups.ts";
import { defineStep } from "./step.ts";

const params = z.strictObject({});

/** Log-probs are taken at the temperature of the sampler, as all others of a rollout. */
export const measureTokens = defineStep({
  about: "Measure each completion token under the policy: its log-prob, and the sum of all squared probabilities",
  params,
  reads: {
    completions: ["prompt_id", "sample", "prompt", "token_ids"],
    settings: [{ column: "name", optional: true }, { column: "value", optional: true }],
  },
  writes: { completions: ["old_logprobs", "log_sum_squares"] },
  needs: ["policy"],
  timedAs: "sample",
  cost: measuringCost,
  outputs: z.object({
    effective_tokens: z.number().describe(
      "1 over the mean sum of squared probabilities: tokens that the policy wavers between",
    ),
  }),
  async run(_, context) {
    const completions = context.table("completions"), policy = context.resource("policy");
    if (completions.numRows() === 0) throw new RangeError(`Cannot measure tokens: table "completions" has no rows`);
    const texts = columnArray(completions, "prompt") as ArrayLike<string>;
    const ids = Array.from(columnArray(completions, "token_ids") as ArrayLike<ArrayLike<number>>);
    const prompts = groupedPrompts(groupRows(completions)).map((row) => texts[row]!);
    const temperature = settingValues(context.table("settings")).get("temperature");
    const at = logprobTemperature({
      temperature: typeof temperature === "number" ? temperature : PLAIN_SAMPLING.temperature,
    });
    const { logprobs, logSumSquares } = await policy.logprobsAndSquares(policy.sequences(prompts, ids), at);
    const columns = tableOf("completions", { old_logprobs: logprobs, log_sum_squares: logSumSquares });
    return {
      tables: { completions: completions.assign(columns) },
      outputs: { effective_tokens: effectiveTokens(logSumSquares) },
    };
  },
});

/** The first row of each group. RangeError unless groups are equal and each together. */
function groupedPrompts(groups: readonly number[][]): number[] {
  const size = groups[0]!.length;
  for (const rows of groups) {
    if (rows.length === size && rows.every((row, i) => row === rows[0]! + i)) continue;
    throw new RangeError(
      `Cannot measure tokens: a group has ${rows.length} completions, another ${size}; want equal groups, each together`,
    );
  }
  return groups.map((rows) => rows[0]!);
}

function effectiveTokens(logSumSquares: readonly Float32Array[]): number {
  let sum = 0, tokens = 0;
  for (const row of logSumSquares) {
    for (const value of row) sum += Math.exp(value);
    tokens += row.length;
  }
  return tokens / sum;
}

/** One forward pass over the rollout; half of what a backward pass beside it would hold. */
function measuringCost(
  _: z.output<typeof params>,
  facts: CostFacts,
): Cost | null {
  const { config, parameters, promptTokens, earlier } = facts;
  const sampled = earlier("sample_groups") as SampleGroups | null;
  if (sampled === null) return null;
  const { prompts_per_step, group_size: group, max_new_tokens: completionTokens } = sampled;
  const prompts = Math.min(prompts_per_step, PROMPTS_PER_PASS);
  return {
    flops: FLOPS.sampled * parameters * prompts_per_step * group * completionTokens,
    trainSteps: 0,
    peak: {
      key: "uses",
      bytes: trainingBytes(config, {
        prompts,
        group,
        promptTokens,
        completionTokens,
        ...passImages(facts, prompts, "values"),
      }) / 2,
      what: `measuring ${prompts} × ${group} completions of up to ${completionTokens} tokens at once`,
      remedy: "lower group_size or max_new_tokens of sample_groups",
    },
  };
}
