/** The completions of a train step as the training graphs take them, groups together. @module */
import { groupRows } from "../../data/statistics/mod.ts";
import { columnArray } from "../../data/tables/mod.ts";
import type { Policy } from "../resources/policy.ts";
import { logprobTemperature } from "../options/sampling_settings.ts";
import { settingValues } from "../options/settings_table.ts";
import type { StepContext } from "../step.ts";

export interface Rollout {
  readonly prompts: readonly Int32Array[];
  readonly group: number;
  readonly completions: readonly ArrayLike<number>[];
  readonly completionMask: readonly ArrayLike<number>[];
  readonly advantages: readonly number[];
  readonly samplerLogprobs: readonly ArrayLike<number>[];
  readonly refLogprobs?: readonly ArrayLike<number>[];
  oldLogprobs?: readonly ArrayLike<number>[];
  /** Tokens of each completion that count. */
  readonly lengths: readonly number[];
  /** Their sum. */
  readonly tokens: number;
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
    if (!table.column(name)) {
      throw new RangeError(
        `Cannot update: table "completions" has no column "${name}"; run the step that writes it before`,
      );
    }
    return Array.from(columnArray(table, name) as ArrayLike<T>);
  };
  const groups = groupRows(table);
  const group = groups[0]!.length;
  for (const rows of groups) {
    if (rows.length !== group || rows.some((row, i) => row !== rows[0]! + i)) {
      throw new RangeError(
        `Cannot update: a group has ${rows.length} completions, another ${group}; want equal groups, each together`,
      );
    }
  }
  if (groups.length % minibatches) {
    throw new RangeError(
      `Cannot split ${groups.length} prompts into ${minibatches} minibatches: want prompts_per_step to be a multiple`,
    );
  }
  const texts = column<string>("prompt"), masks = column<ArrayLike<number>>("completion_mask");
  const settings = readSettings(context);
  const lengths = masks.map((mask) =>
    Array.prototype.reduce.call(mask, (a, b) => (a as number) + (b as number), 0) as number
  );
  const given = context.position > 0 && table.column("old_logprobs")
    ? column<ArrayLike<number>>("old_logprobs")
    : undefined;
  const reference = table.column("ref_logprobs") ? column<ArrayLike<number>>("ref_logprobs") : undefined;
  const temperature = settings("temperature", 1);
  const suppressed = settingValues(context.table("settings")).get("suppress_tokens") as readonly number[] ?? [];
  return {
    prompts: groups.map((rows) => policy.encodePrompt(texts[rows[0]!]!, 0)),
    group,
    completions: column("token_ids"),
    completionMask: masks,
    advantages: column("advantage"),
    samplerLogprobs: column("sampler_logprobs"),
    ...(reference ? { refLogprobs: reference } : {}),
    ...(given ? { oldLogprobs: given } : {}),
    lengths,
    tokens: lengths.reduce((a, b) => a + b, 0),
    maxNewTokens: settings("max_new_tokens", Math.max(...lengths)),
    temperature: logprobTemperature({ temperature }),
    comparable: temperature > 0 && settings("top_k", 0) === 0 && settings("top_p", 1) === 1 &&
      settings("min_p", 0) === 0 && suppressed.length === 0 &&
      settings("repetition_penalty", 1) === 1,
  };
}

/** One of `minibatches` slices: whole groups, in order. */
export function slice(rollout: Rollout, part: number, minibatches: number) {
  const prompts = rollout.prompts.length / minibatches, rows = prompts * rollout.group;
  const cut = <T>(values: readonly T[]) => values.slice(part * rows, (part + 1) * rows);
  return {
    prompts: rollout.prompts.slice(part * prompts, (part + 1) * prompts),
    group: rollout.group,
    completions: cut(rollout.completions),
    completionMask: cut(rollout.completionMask),
    inputs: {
      advantages: cut(rollout.advantages),
      ...(rollout.oldLogprobs ? { old_logprobs: cut(rollout.oldLogprobs) } : {}),
      ...(rollout.refLogprobs ? { ref_logprobs: cut(rollout.refLogprobs) } : {}),
    },
  };
}

/** Numbers of the table `settings`, with a default. */
function readSettings(context: StepContext): (name: string, otherwise: number) => number {
  const values = settingValues(context.table("settings"));
  return (name, otherwise) => {
    const value = values.get(name);
    return typeof value === "number" ? value : otherwise;
  };
}
