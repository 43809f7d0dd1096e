/** The step `compute_values`: what the critic expects before each token of the rollout. @module */
import { z } from "zod";
import { tableOf } from "../data/tables/mod.ts";
import { type Cost, type CostFacts, FLOPS, passImages } from "./cost/cost.ts";
import { trainingBytes } from "./cost/memory.ts";
import type { SampleGroups } from "./sample_groups.ts";
import { defineStep } from "./step.ts";
import { completionSequences } from "./training/completion_rows.ts";
import { promptsPerPass } from "./training/pass_options.ts";
import { PROMPTS_PER_PASS } from "./resources/policy.ts";

const params = z.strictObject({
  prompts_per_pass: promptsPerPass(PROMPTS_PER_PASS),
});

export const computeValues = defineStep({
  about: "Let the critic say what it expects before each token of the completions",
  params,
  reads: { completions: ["prompt_id", "sample", "prompt", "token_ids", "completion_mask"] },
  writes: { completions: ["values"] },
  needs: ["policy", "critic"],
  timedAs: "score",
  cost: valuesCost,
  outputs: z.object({ value_mean: z.number().nullable().describe("mean value over the tokens that count") }),
  async run({ prompts_per_pass }, context) {
    const completions = context.table("completions");
    if (!completions.numRows()) {
      throw new RangeError('Cannot compute values: table "completions" has no row of this train step');
    }
    const sequences = completionSequences(completions, context.resource("policy"));
    const values = await context.resource("critic").values(sequences, prompts_per_pass);
    const bad = values.findIndex((row) => row.some((value) => !Number.isFinite(value)));
    if (bad >= 0) {
      throw new RangeError(
        `Cannot compute values: completion ${bad} has the value ${
          values[bad]!.find((v) => !Number.isFinite(v))
        }, want ` +
          `finite numbers; go back to a checkpoint and lower learning_rate of update_critic`,
      );
    }
    const masks = completions.array("completion_mask") as ArrayLike<ArrayLike<number>>;
    return {
      tables: { completions: completions.assign(tableOf("completions", { values })) },
      outputs: { value_mean: countedMean(values, masks) },
    };
  },
});

/** The mean over tokens that count; null where none does. */
function countedMean(values: readonly ArrayLike<number>[], masks: ArrayLike<ArrayLike<number>>): number | null {
  let sum = 0, tokens = 0;
  values.forEach((row, i) => {
    for (let t = 0; t < row.length; t++) {
      if (!masks[i]![t]) continue;
      sum += row[t]!;
      tokens++;
    }
  });
  return tokens ? sum / tokens : null;
}

function valuesCost(
  { prompts_per_pass }: z.output<typeof params>,
  facts: CostFacts,
): Cost | null {
  const { config, parameters, promptTokens, earlier } = facts;
  const sampled = earlier("sample_groups") as SampleGroups | null;
  if (sampled === null) return null;
  const { prompts_per_step, group_size: group, max_new_tokens: completionTokens } = sampled;
  const shape = { prompts: Math.min(prompts_per_step, prompts_per_pass), group, promptTokens, completionTokens };
  return {
    flops: FLOPS.sampled * parameters * prompts_per_step * group * completionTokens,
    trainSteps: 0,
    peak: {
      key: "prompts_per_pass",
      bytes: trainingBytes({ ...config, vocabSize: 0 }, { ...shape, ...passImages(facts, shape.prompts, "values") }) /
        2,
      what: `values of ${shape.prompts} × ${group} completions of up to ${completionTokens} tokens at once`,
      remedy: "lower prompts_per_pass",
    },
  };
}
