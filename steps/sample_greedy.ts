/** The step `sample_greedy`: the most likely completion of each prompt, which rewards are compared with. @module */
import type { ColumnTable } from "arquero";
import { z } from "zod";
import { columnArray, tableOf } from "../data/tables/mod.ts";
import type { Cost, CostFacts } from "./cost/cost.ts";
import { PLAIN_SAMPLING } from "./options/sampling_settings.ts";
import { settingValues } from "./options/settings_table.ts";
import { type SampleGroups, samplingCost } from "./sample_groups.ts";
import { defineStep, type StepContext } from "./step.ts";

const params = z.strictObject({
  max_new_tokens: z.int().min(1).optional().describe(
    "longest completion, tokens, its end of sequence included; that of sample_groups if absent",
  ),
});

/** Its text stands beside each completion of its prompt: score_rewards scores it, nothing trains on it. */
export const sampleGreedy = defineStep({
  about: "Sample the greedy completion of each prompt, as a baseline of its group's rewards",
  params,
  reads: {
    completions: ["prompt_id", "prompt"],
    settings: [{ column: "name", optional: true }, { column: "value", optional: true }],
  },
  writes: { completions: ["greedy_text", "greedy_tokens", "greedy_truncated"] },
  needs: ["policy"],
  timedAs: "sample",
  cost: greedyCost,
  outputs: z.object({
    prompts: z.int().describe("prompts answered"),
    completion_length: z.number().describe("mean length, tokens"),
    truncated_fraction: z.number().describe("fraction of greedy completions that reached max_new_tokens"),
  }),
  async run(given, context) {
    const completions = context.table("completions");
    if (completions.numRows() === 0) throw new RangeError(`Cannot sample: table "completions" has no rows`);
    const ids = Array.from(columnArray(completions, "prompt_id") as ArrayLike<number>);
    const texts = columnArray(completions, "prompt") as ArrayLike<string>;
    const places = new Map<number, number>();
    ids.forEach((id, row) => places.has(id) || places.set(id, row));
    const sampled = await context.resource("policy").sampler.sample(
      Array.from(places.values(), (row) => texts[row]!),
      request(given, context),
      () => context.safePoint(),
    );
    const number = new Map(Array.from(places.keys(), (id, i) => [id, i]));
    const lengths = sampled.map(({ tokenIds }) => tokenIds.length);
    const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    return {
      tables: { completions: withGreedy(completions, ids.map((id) => sampled[number.get(id)!]!)) },
      outputs: {
        prompts: sampled.length,
        completion_length: mean(lengths),
        truncated_fraction: mean(sampled.map(({ truncated }) => +truncated)),
      },
    };
  },
});

/** Greedy, and otherwise as the groups were sampled. */
function request({ max_new_tokens }: z.output<typeof params>, { seed, trainStep, table }: StepContext) {
  const settings = settingValues(table("settings"));
  const longest = max_new_tokens ?? settings.get("max_new_tokens");
  if (typeof longest !== "number") {
    throw new RangeError(
      "Cannot sample: how long a completion may be is not known; set max_new_tokens of sample_greedy",
    );
  }
  return {
    group: 1,
    maxNewTokens: longest,
    values: { ...PLAIN_SAMPLING, temperature: 0 },
    suppressIds: settings.get("suppress_tokens") as readonly number[] ?? [],
    draws: { seed, stream: "sample_greedy", trainStep },
  };
}

interface Greedy {
  readonly text: string;
  readonly tokenIds: ArrayLike<number>;
  readonly truncated: boolean;
}

function withGreedy(completions: ColumnTable, greedy: readonly Greedy[]): ColumnTable {
  return completions.assign(tableOf("completions", {
    greedy_text: greedy.map(({ text }) => text),
    greedy_tokens: greedy.map(({ tokenIds }) => tokenIds.length),
    greedy_truncated: greedy.map(({ truncated }) => truncated),
  }));
}

/** A sampling of one completion for each prompt. */
function greedyCost({ max_new_tokens }: z.output<typeof params>, facts: CostFacts): Cost | null {
  const sampled = facts.earlier("sample_groups") as SampleGroups | null;
  if (sampled === null) return null;
  const one = { ...sampled, group_size: 1, rows_at_once: 0, max_new_tokens: max_new_tokens ?? sampled.max_new_tokens };
  const { flops, peak } = samplingCost(one, facts);
  return { flops, trainSteps: 0, peak: { ...peak, remedy: "lower prompts_per_step of sample_groups" } };
}
