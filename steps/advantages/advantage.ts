/** What an advantage estimator is: rewards of a batch in, an advantage per completion or per token out. @module */
import type { z } from "zod";
import type { MethodNotes } from "../../gpu/losses/method.ts";

/** The completions of one train step; arrays run over completions, in table order. */
export interface AdvantageBatch {
  /** Reward per completion; null = not scored: it enters no mean and gets advantage 0. */
  readonly rewards: readonly (number | null)[];
  /** Group per completion, 0 to groups - 1; members need not be adjacent. */
  readonly groups: readonly number[];
  /** Completion tokens that count in the loss. */
  readonly lengths: readonly number[];
  /** 1 on tokens that count; absent: all of `lengths`. */
  readonly masks?: readonly ArrayLike<number>[] | undefined;
  /** What each token earns besides its completion's reward, such as -kl_coef times its KL. */
  readonly tokenRewards?: readonly ArrayLike<number>[] | undefined;
  /** Bounds of a reward after it was compared with its group's, before it is put on a token. */
  readonly shapedClip?: readonly [number, number] | undefined;
  /** Each reward function's values, by its name. */
  readonly components?: Readonly<Record<string, readonly (number | null)[]>> | undefined;
  /** What a critic expects at each token. */
  readonly values?: readonly ArrayLike<number>[] | undefined;
  /** Reward of the greedy completion of the same prompt. */
  readonly baselines?: readonly (number | null)[] | undefined;
  /** Log-probs per token of the policy that sampled, nats. */
  readonly logprobs?: readonly ArrayLike<number>[] | undefined;
  /** log of the sum over the vocabulary of p² per token, nats. */
  readonly logSumSquares?: readonly ArrayLike<number>[] | undefined;
  /** Log-probs per token as the sampler reported them, nats; NaN where it gave none. */
  readonly samplerLogprobs?: readonly ArrayLike<number>[] | undefined;
  /** Importance weight per token of the trainer's policy over the sampler's, where it is known already. */
  readonly samplerWeights?: readonly ArrayLike<number>[] | undefined;
}

/** Parts of a batch that not every estimator needs. */
export type BatchPart = "values" | "baselines" | "logprobs" | "logSumSquares" | "samplerLogprobs" | "components";

/** One number per token: what multiplies its log-ratio, and what a critic shall learn to expect. */
export interface TokenAdvantages {
  /** Reward per completion before it was put on a token, compared with its group's where the estimator does that. */
  readonly shaped: readonly (number | null)[];
  readonly tokens: number[][];
  readonly returns: number[][];
}

/** One advantage per completion, 0 where the reward is null; or one per token. */
type Estimate = number[] | TokenAdvantages;

export interface Advantage<Params extends z.ZodObject = z.ZodObject, Result extends Estimate = Estimate> {
  /** One line: the formula in words. */
  readonly about: string;
  /** Formula, source, and what other systems call it. */
  readonly method: MethodNotes;
  /** Options that this estimator reads; all together they are the options of `compute_advantages`. */
  readonly params: Params;
  /**
   * What is wrong with options that are right one by one: given, all that hold, a preset's among them; said, without a
   * preset's, which may have options for what was changed since.
   */
  problems?(given: z.output<Params>, said: z.output<Params>): string[];
  /** Completions a group needs for the estimate to mean anything. */
  minGroupSize(params: z.output<Params>): number;
  /** Whether the advantages of a group sum to 0; where it is left out, those of an estimator that compares within groups do. */
  sumsToZero?(params: z.output<Params>): boolean;
  /** Whether a completion with a higher reward never gets less than another of its group; it does where this is left out. */
  followsRewards?(params: z.output<Params>): boolean;
  /** Groups of two to four are usual for it: the doctor does not call them too small. */
  readonly smallGroups?: true;
  /** It compares a completion with its group although a group of one is allowed to it, or does not although groups are. */
  comparesGroups?(params: z.output<Params>): boolean;
  /** Its advantages are one per token. */
  readonly perToken?: true;
  /** Parts of the batch without which it cannot work. */
  readonly needs?: readonly BatchPart[];
  /** The advantages of a batch. */
  advantages(params: z.output<Params>, batch: AdvantageBatch): Result;
}

/** What happens to a reward besides the estimator. */
interface Reshaped {
  /** Before it is compared: the order of rewards may be another then. */
  readonly before: boolean;
  /** After it is compared: a clip, a KL per token. */
  readonly after: boolean;
}

/** What the doctor judges groups by, as `compute_advantages` writes it to `settings`. */
export function groupTraits(advantage: Advantage, params: Record<string, unknown>, reshaped: Reshaped) {
  const compares_groups = advantage.comparesGroups?.(params) ?? advantage.minGroupSize(params) > 1;
  return {
    compares_groups,
    sums_to_zero: !reshaped.after && (advantage.sumsToZero?.(params) ?? compares_groups),
    follows_rewards: !reshaped.before && (advantage.followsRewards?.(params) ?? compares_groups),
    small_groups: advantage.smallGroups ?? false,
  };
}

/** Identity; lets the functions see the type of `params`. */
export function defineAdvantage<Params extends z.ZodObject, Result extends Estimate>(
  advantage: Advantage<Params, Result>,
): Advantage<Params, Result> {
  return advantage;
}
