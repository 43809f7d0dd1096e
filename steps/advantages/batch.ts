/** Reads what estimators need from the rows of a train step: rewards with their penalties, lengths, parts by the token. @module */
import type { ColumnTable } from "arquero";
import type { TABLES } from "../../data/columns.ts";
import { columnArray } from "../../data/tables/mod.ts";
import type { Advantage, AdvantageBatch, BatchPart } from "./advantage.ts";
import { type RewardKl, tokenKl } from "./token_kl.ts";

/** How rewards are shaped before an estimator sees them: settings of `compute_advantages`. */
export interface Shaping {
  readonly reward_clip?: readonly [number, number] | undefined;
  readonly shaped_clip?: readonly [number, number] | undefined;
  readonly truncated_scale?: number | undefined;
  readonly truncated_reward?: number | undefined;
  readonly kl_coef: number;
  readonly kl_estimator: RewardKl;
  readonly kl_per_token: boolean;
  readonly kl_difference_bound?: number | null | undefined;
  readonly kl_bound?: number | null | undefined;
}

/** The column of each part of a batch that is one, and how to get it. */
export const PART_COLUMNS = {
  values: { column: "values", remedy: "run compute_values before, with a critic of load_critic" },
  baselines: {
    column: "greedy_reward",
    remedy: "run sample_greedy before score_rewards, which scores its completions too",
  },
  logprobs: { column: "old_logprobs", remedy: "run measure_tokens before" },
  logSumSquares: { column: "log_sum_squares", remedy: "run measure_tokens before" },
  samplerLogprobs: { column: "sampler_logprobs", remedy: "sample_groups writes it" },
} as const satisfies Record<
  Exclude<BatchPart, "components">,
  { readonly column: keyof typeof TABLES.completions; readonly remedy: string }
>;

/** How to get the other columns. */
const REMEDIES: Readonly<Record<string, string>> = {
  reward: "run score_rewards before",
  truncated: "sample_groups writes it",
  completion_mask: "sample_groups writes it",
};

type Lists = readonly ArrayLike<number>[];

/** One column of `completions`. RangeError, with what to do, where it is not there. */
export function readColumn<Value>(completions: ColumnTable, name: string): Value[] {
  if (completions.column(name)) return Array.from(columnArray(completions, name) as ArrayLike<Value>);
  throw new RangeError(
    `Cannot compute advantages: table "completions" has no column "${name}"; ` +
      (REMEDIES[name] ?? "kl_coef needs a step before that writes it"),
  );
}

/**
 * The batch of a train step. Order: penalties of truncated completions, clip, KL summed over a completion; or KL per
 * token, which an estimator takes off after it compared (OpenRLHF experience_maker.py; TRL rloo_trainer.py).
 * Throws RangeError for a number that is not finite.
 */
export function readBatch(
  completions: ColumnTable,
  groups: readonly number[],
  { needs = [] }: Pick<Advantage, "needs">,
  shaping: Shaping,
): { readonly batch: AdvantageBatch; readonly kl: readonly number[][] | null } {
  const masks = completions.column("completion_mask")
    ? readColumn<ArrayLike<number>>(completions, "completion_mask")
    : null;
  const lengths = masks
    ? masks.map((mask) => Array.prototype.reduce.call(mask, (a, b) => (a as number) + (b as number), 0) as number)
    : readColumn<number>(completions, "completion_tokens");
  const rewards = penalized(completions, shaping);
  const kl = shaping.kl_coef === 0 ? null : klOf(completions, shaping);
  const parts = needs.filter((part) => part !== "components").map((part) => [part, readPart(completions, part)]);
  const batch = {
    groups,
    lengths,
    rewards: kl === null || shaping.kl_per_token
      ? rewards
      : rewards.map((reward, row) => reward === null ? null : reward - shaping.kl_coef * sum(kl[row]!)),
    ...(masks ? { masks } : {}),
    ...(kl && shaping.kl_per_token
      ? { tokenRewards: kl.map((row) => row.map((nats) => -shaping.kl_coef * nats)) }
      : {}),
    ...(shaping.shaped_clip ? { shapedClip: shaping.shaped_clip } : {}),
    ...(needs.includes("components") ? { components: componentsOf(completions) } : {}),
    ...Object.fromEntries(parts),
  };
  return { batch, kl };
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/** Rewards after what truncation costs, clipped; null stays null. */
function penalized(completions: ColumnTable, given: Shaping): (number | null)[] {
  const [low, high] = given.reward_clip ?? [-Infinity, Infinity];
  const { truncated_scale, truncated_reward } = given;
  const punishes = truncated_scale !== undefined || truncated_reward !== undefined;
  const truncated = punishes ? readColumn<boolean>(completions, "truncated") : [];
  return readColumn<number | null>(completions, "reward").map((reward, row) => {
    if (reward === null || reward === undefined) return null;
    finite(reward, "reward", row);
    return Math.min(Math.max(truncated[row] ? truncationPenalty(reward, given) : reward, low), high);
  });
}

/** The reward of a truncated completion (OpenRLHF length_penalty.py, stop properly). */
export function truncationPenalty(
  reward: number,
  { truncated_scale, truncated_reward }: Pick<Shaping, "truncated_scale" | "truncated_reward">,
): number {
  return truncated_reward ?? reward * (truncated_scale ?? 1);
}

/** The values of every reward function, by its name. */
function componentsOf(completions: ColumnTable): Record<string, (number | null)[]> {
  const names = completions.columnNames().filter((name) => name.startsWith("reward."));
  return Object.fromEntries(names.map((name) => {
    const values = readColumn<number | null>(completions, name).map((value, row) => {
      if (value === null || value === undefined) return null;
      return finite(value, name, row);
    });
    return [name.slice("reward.".length), values];
  }));
}

/** A part by its column; of tokens that count, every number finite. */
function readPart(completions: ColumnTable, part: Exclude<BatchPart, "components">): unknown {
  const { column, remedy } = PART_COLUMNS[part];
  if (!completions.column(column)) {
    throw new RangeError(`Cannot compute advantages: table "completions" has no column "${column}"; ${remedy}`);
  }
  if (part === "baselines") {
    return readColumn<number | null>(completions, column).map((value, row) =>
      value === null || value === undefined ? null : finite(value, column, row)
    );
  }
  const lists = readColumn<ArrayLike<number>>(completions, column);
  if (part === "samplerLogprobs") return lists; // NaN: the sampler gave none
  const masks: Lists = completions.column("completion_mask") ? readColumn(completions, "completion_mask") : lists;
  lists.forEach((list, row) => {
    for (let t = 0; t < masks[row]!.length; t++) {
      if (masks[row]![t] && !Number.isFinite(list[t])) {
        throw new RangeError(
          `Cannot compute advantages: "${column}" of completion ${row} is ${
            list[t]
          } at token ${t}, want a finite number`,
        );
      }
    }
  });
  return lists;
}

function finite(value: number, what: string, row: number): number {
  if (Number.isFinite(value)) return value;
  throw new RangeError(`Cannot compute advantages: the ${what} of completion ${row} is ${value}, want a finite number`);
}

/** KL of every token to the reference. RangeError where the reference's log-prob of one that counts is not finite. */
function klOf(completions: ColumnTable, shaping: Shaping): number[][] {
  const lists = (name: string): Lists => readColumn<ArrayLike<number>>(completions, name);
  const old = lists("old_logprobs"), ref = lists("ref_logprobs"), masks = lists("completion_mask");
  const how = {
    estimator: shaping.kl_estimator,
    differenceBound: shaping.kl_difference_bound,
    bound: shaping.kl_bound,
  };
  return masks.map((mask, row) => {
    for (let t = 0; t < mask.length; t++) {
      const reference = ref[row]![t]!;
      // The policy's own log-probs are the doctor's to judge: it names what made them so.
      if (mask[t] && !Number.isFinite(reference)) {
        throw new RangeError(
          `Cannot compute advantages: the reference's log-prob of completion ${row} is ${reference} at token ${t}, ` +
            `want a finite number; look at the weights of the reference model`,
        );
      }
    }
    return tokenKl(how, old[row]!, ref[row]!, mask);
  });
}
