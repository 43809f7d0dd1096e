/** The completions of a train step as the training graphs take them, groups together. @module */
import type { ColumnTable } from "arquero";
import type { PromptIds } from "../../gpu/models/vision/image_input.ts";
import { longest } from "../../gpu/models/padding.ts";
import { groupRows } from "../../data/statistics/mod.ts";
import { columnArray } from "../../data/tables/mod.ts";
import { mapRows, type Rows } from "../corrections/masked_rows.ts";
import type { Policy } from "../resources/policy.ts";
import { logprobTemperature, PLAIN_SAMPLING } from "../options/sampling_settings.ts";
import { settingValues } from "../options/settings_table.ts";
import type { StepContext } from "../step.ts";
import { requireSlices, sliceOf } from "./rollout_updates.ts";

export interface Rollout {
  readonly prompts: readonly PromptIds[];
  readonly group: number;
  readonly completions: readonly ArrayLike<number>[];
  /** Tokens that the sampler's longest row could have had, which chooses some models' frequencies. */
  readonly positions: number;
  /** Without the tokens that the sampler's correction rejects. */
  completionMask: readonly ArrayLike<number>[];
  /** With them. */
  readonly sampledMask: readonly ArrayLike<number>[];
  readonly advantages: readonly number[];
  /** One per token, where a step wrote them. */
  readonly tokenAdvantages?: readonly ArrayLike<number>[];
  readonly samplerLogprobs: readonly ArrayLike<number>[];
  readonly refLogprobs?: readonly ArrayLike<number>[];
  /** As the train graph computes them. */
  oldLogprobs?: readonly ArrayLike<number>[];
  /** What ratios compare with, where that is not `oldLogprobs`. */
  ratioLogprobs?: readonly ArrayLike<number>[];
  /** Per token, or one per completion. */
  samplerWeights?: readonly ArrayLike<number>[] | readonly number[];
  /** Tokens of each completion that count. */
  lengths: readonly number[];
  /** Their sum. */
  tokens: number;
  readonly maxNewTokens: number;
  /** At which log-probs are taken: the sampler's, or 1 for greedy sampling. */
  readonly temperature: number;
  /** Whether sampler_logprobs are of the same distribution as the trainer's. */
  readonly comparable: boolean;
}

/** Reads the table `completions`. Throws where a column is missing or groups have different sizes. */
export function readRollout(context: StepContext, policy: Policy, minibatches: number): Rollout {
  const table = context.table("completions");
  if (!table.numRows()) throw new RangeError('Cannot update: table "completions" has no row of this train step');
  const column = <T>(name: string): T[] => {
    if (table.column(name)) return Array.from(columnArray(table, name) as ArrayLike<T>);
    throw new RangeError(
      `Cannot update: table "completions" has no column "${name}"; run the step that writes it before`,
    );
  };
  const lists = (name: string) => column<ArrayLike<number>>(name);
  const groups = equalGroups(table, minibatches);
  const texts = column<string>("prompt"), masks = lists("completion_mask");
  const lengths = masks.map((mask) =>
    Array.prototype.reduce.call(mask, (a, b) => (a as number) + (b as number), 0) as number
  );
  const resumed = context.position > 0 && table.column("old_logprobs");
  const prompts = groups.map((rows) => policy.encodePrompt(texts[rows[0]!]!, 0));
  const sampled = sampledWith(context, Math.max(...lengths));
  return {
    prompts,
    positions: longest(prompts) + sampled.maxNewTokens,
    group: groups[0]!.length,
    completions: lists("token_ids"),
    completionMask: masks,
    sampledMask: masks,
    advantages: column("advantage"),
    ...(table.column("advantages") ? { tokenAdvantages: lists("advantages") } : {}),
    samplerLogprobs: lists("sampler_logprobs"),
    ...(table.column("ref_logprobs") ? { refLogprobs: lists("ref_logprobs") } : {}),
    ...(resumed ? { oldLogprobs: lists("old_logprobs") } : {}),
    lengths,
    tokens: lengths.reduce((a, b) => a + b, 0),
    ...sampled,
  };
}

/** Rows of each group. Throws where groups have different sizes, or cannot be dealt out to the minibatches. */
function equalGroups(completions: ColumnTable, minibatches: number): number[][] {
  const groups = groupRows(completions), size = groups[0]!.length;
  for (const rows of groups) {
    if (rows.length === size && rows.every((row, i) => row === rows[0]! + i)) continue;
    throw new RangeError(
      `Cannot update: a group has ${rows.length} completions, another ${size}; want equal groups, each together`,
    );
  }
  requireSlices(groups.length, minibatches);
  return groups;
}

/** How the rollout was sampled, by the table `settings`; `longest` stands for a bound that nobody wrote down. */
function sampledWith(context: StepContext, longest: number) {
  const values = settingValues(context.table("settings"));
  const number = (name: string, otherwise: number) => {
    const value = values.get(name);
    return typeof value === "number" ? value : otherwise;
  };
  const { temperature: plain, ...filters } = PLAIN_SAMPLING;
  const temperature = number("temperature", plain);
  const suppressed = values.get("suppress_tokens") as readonly number[] ?? [];
  const unfiltered = Object.entries(filters).every(([name, off]) => number(name, off) === off);
  return {
    maxNewTokens: number("max_new_tokens", longest),
    temperature: logprobTemperature({ temperature }),
    comparable: temperature > 0 && unfiltered && suppressed.length === 0,
  };
}

/** One of `minibatches` slices, with what its loss reads. */
export function slice(rollout: Rollout, part: number, minibatches: number) {
  const old = rollout.ratioLogprobs ?? rollout.oldLogprobs;
  const { sequences, cut } = sliceOf(rollout, part, minibatches);
  // A sampler may say nothing of a token that does not count; in a product with the mask's 0 that would be the loss.
  const known = (rows: Rows) =>
    mapRows(rows, (value, i, t) => rollout.completionMask[i]![t] || Number.isFinite(value) ? value : 0);
  return {
    ...sequences,
    completionMask: cut(rollout.completionMask),
    inputs: {
      advantages: rollout.tokenAdvantages ? cut(rollout.tokenAdvantages) : cut(rollout.advantages),
      sampler_logprobs: cut(known(rollout.samplerLogprobs)),
      ...(old ? { old_logprobs: cut(known(old)) } : {}),
      ...(rollout.samplerWeights
        ? { sampler_weights: cut<ArrayLike<number> | number>(rollout.samplerWeights) as ArrayLike<number>[] }
        : {}),
      ...(rollout.refLogprobs ? { ref_logprobs: cut(rollout.refLogprobs) } : {}),
    },
  };
}
