/** What an objective is: the inputs it reads, what its loss and its metrics belong to, and its graph. @module */
import type { z } from "zod";
import type { Value } from "../onnx/graph.ts";
import type { Aggregation } from "./aggregations.ts";
import type { KlBounds, KlEstimator } from "./kl.ts";
import type { MethodNotes } from "./method.ts";
import type { RatioLevel } from "./ratio.ts";

interface UnitDefinition {
  /** What one row of such numbers belongs to, and how many completions that is. */
  readonly row: "completion" | "pair" | "batch";
  readonly completions: number;
  /** A row has a number per token, else one. */
  readonly perToken: boolean;
}

/**
 * What a number of an objective belongs to; shapes are of B completions with T tokens.
 */
export const UNITS = {
  /** [B, T]. */
  token: { row: "completion", completions: 1, perToken: true },
  /** [B, 1]. */
  sequence: { row: "completion", completions: 1, perToken: false },
  /** [B/2, 1]: neighbours in their group, the chosen and the rejected one. */
  pair: { row: "pair", completions: 2, perToken: false },
  /** [1, 1]: one number that all passes over a batch read, such as KTO's KL. */
  value: { row: "batch", completions: Infinity, perToken: false },
} as const satisfies Record<string, UnitDefinition>;

export type Unit = keyof typeof UNITS;
/** No loss or metric is one per batch: its sum over passes would depend on how the batch is cut. */
type LossUnit = Exclude<Unit, "value">;

/** How many rows a unit has in so many completions. */
export function rowsOf(unit: Unit, completions: number): number {
  const { row, completions: each } = UNITS[unit], rows = each === Infinity ? 1 : completions / each;
  if (Number.isInteger(rows)) return rows;
  throw new RangeError(`Cannot read ${completions} completions as ${row}s: want a multiple of ${each}`);
}

/** The shape of a unit's numbers: [rows, T or 1]. */
export function unitShape(unit: Unit, completions: number, tokens: number): [number, number] {
  return [rowsOf(unit, completions), UNITS[unit].perToken ? tokens : 1];
}

/** A number that a loss reports beside its value. */
export interface Metric {
  /** What it is a mean over; of tokens, those that count. */
  readonly over: LossUnit;
  /** The sum, the smallest or the largest of those numbers in place of their mean. */
  readonly reduce?: Reduction;
  /** What it is where no token counts: 0 where absent. */
  readonly ofNothing?: null;
}

export type Reduction = "mean" | "sum" | "min" | "max";

/** What a graph can say of the distribution that a token is drawn from, beside its log-prob. */
export type StatisticName = "entropy" | "log_sum_squares" | "top1" | "mean_logit";

/** What a graph knows of the policy and its batch. */
export interface PolicyTokens {
  /** float [B, T], nats. */
  readonly logprobs: Value;
  /** float [B, T], 1 on tokens that count. */
  readonly mask: Value;
  /** One of the objective's inputs, float in the shape of its unit; `coefficients`, what a number of the loss weighs. */
  readonly input: (name: string) => Value;
  /**
   * float [B, T], with gradient: entropy in nats; log Σ p² over the vocabulary; 1 where the token is the likeliest; mean
   * logit. Built when first asked for: a graph that does not ask does not pay.
   */
  readonly statistic: (name: StatisticName) => Value;
  /** float [B, T], the value before each token; of a model with a scalar head, which has no log-probs. */
  readonly values?: Value;
}

/** How the tokens of a term add up: all that count, or of these only those that an input marks with 1. */
export interface TermWeights {
  readonly aggregation: Aggregation;
  readonly among?: string;
}

/** An entry of OBJECTIVES; `Loss` are the settings of one use of it. */
export interface Objective<Loss> {
  /** The head of the model that it trains; a language model's where absent. */
  readonly head?: "scalar";
  /** What one number of the loss belongs to: tokens are weighed by the aggregation, of all others the mean counts. */
  readonly unit: LossUnit;
  /** What it reads besides log-probs, by name. */
  inputs(loss: Loss): Readonly<Record<string, Unit>>;
  /** Inputs that are weights of tokens for a term beside the loss, by name. */
  weights?(loss: Loss): Readonly<Record<string, TermWeights>>;
  /** What it reports, by name; null where the settings have no such thing. Of a rollout's each is a column of `updates`. */
  readonly metrics: Readonly<Record<string, (loss: Loss) => Metric | null>>;
  /** True where a row's number depends on the others': the batch must go through the graph as a whole. */
  wholeBatch?(loss: Loss): boolean;
  /** The loss per `unit`, every metric that is not null per what it is of, and terms that are already weighed. */
  graph(loss: Loss, tokens: PolicyTokens): {
    readonly loss: Value;
    readonly metrics: Readonly<Record<string, Value>>;
    readonly added?: Value;
  };
}

/** KL to the reference, added to the loss. */
interface KlTerm {
  readonly estimator: KlEstimator;
  /** β, what one nat of KL costs; null = the input `kl_coef`, which may change from update to update. */
  readonly coefficient: number | null;
  /** Multiplies the estimate by the ratio, gradient included (TRL `use_bias_correction_kl`). */
  readonly timesRatio: boolean;
  readonly bounds?: KlBounds;
  /** How its tokens add up where they do otherwise than those of the objective. */
  readonly aggregation?: Aggregation;
}

/** Entropy, taken off the loss. */
interface EntropyTerm {
  /** What one nat earns; null = the input `entropy_coef`. */
  readonly coefficient: number | null;
  readonly aggregation: Aggregation;
}

/** What of a loss is the same for every objective of rollouts. */
export interface SharedTerms {
  /** True in the first update after sampling: `old_logprobs` are the policy's own, stop-gradient. */
  readonly onPolicy: boolean;
  readonly kl: KlTerm | null;
  /** Drops completions of negative advantage whose mean log-ratio of `logprobs` to the policy is above the threshold. */
  readonly offPolicy?: { readonly threshold: number; readonly logprobs: "old_logprobs" | "sampler_logprobs" };
  /** Reads `entropy_mask`, 1 on the tokens of highest entropy: the objective's loss of others is 0. */
  readonly topEntropy?: boolean;
  /** Reads `sampler_weights`, a number per token or completion that multiplies the objective's loss. */
  readonly samplerWeights?: "token" | "sequence";
  readonly entropy?: EntropyTerm;
  /** Leaves out tokens, or completions without one, that do not count instead of multiplying them by 0 (verl masked_sum). */
  readonly dropsPadding?: "tokens" | "rows";
  /** Leaves ratios on padding as they come (OpenRLHF). */
  readonly rawPadding?: boolean;
}

/** What the loss of every objective of rollouts has. */
export interface RolloutLoss extends SharedTerms {
  readonly objective: string;
  /** `token` where absent. */
  readonly ratioLevel?: RatioLevel;
  /** Bound of the log-ratio, nats; none where null or absent. */
  readonly logRatioBound?: number | null;
}
/** The part that an objective makes of its own options. */
export type OwnLoss<Loss = RolloutLoss> = Omit<Loss, keyof SharedTerms>;

/** What a workflow says of an objective of rollouts. */
export interface ObjectiveOptions<
  Loss extends RolloutLoss = RolloutLoss,
  Params extends z.ZodObject = z.ZodObject,
> {
  readonly method: MethodNotes;
  /** Options that it reads, each of which may be left out: one set in the workflow wins over the preset's. */
  readonly params: Params;
  lossOf(given: z.output<Params>): OwnLoss<Loss>;
  /** What is wrong with options that are right one by one, the preset's among them. */
  problems?(given: z.output<Params>): string[];
  /** What of it the table `settings` says. */
  settings(loss: OwnLoss<Loss>): Readonly<Record<string, number | string | boolean | null>>;
  /** True where there is a ratio per token, at 1 of which its loss is minus its advantage: `expected_loss` is told then. */
  isMinusAdvantage(loss: OwnLoss<Loss>): boolean;
}

/** An entry of ROLLOUT_OBJECTIVES: what a workflow chooses for `apply_update`. */
export interface RolloutObjective<Loss extends RolloutLoss, Params extends z.ZodObject>
  extends Objective<Loss>, ObjectiveOptions<Loss, Params> {}
