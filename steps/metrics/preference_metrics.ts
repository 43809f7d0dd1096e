/** What a batch of preferences says besides its loss: rewards, margins and log-probs of both sides. @module */

type Rows = readonly ArrayLike<number>[];

/** Metrics of one batch; null where there is no completion of that side. */
interface PreferenceMetrics {
  /** β times the log-ratio to the reference, mean. */
  readonly chosen_reward: number | null;
  readonly rejected_reward: number | null;
  readonly reward_margin: number | null;
  /** Share of pairs whose chosen completion has the higher reward; null without pairs. */
  readonly preference_accuracy: number | null;
  /** Sum over the counted tokens of a completion, mean, nats. */
  readonly chosen_logprob: number | null;
  readonly rejected_logprob: number | null;
}

/** Sums over tokens, weighted by the mask, one per completion, nats. */
export function sequenceSums(values: Rows, mask: Rows): number[] {
  return values.map((row, r) => {
    let sum = 0;
    for (let t = 0; t < row.length; t++) sum += row[t]! * mask[r]![t]!;
    return sum;
  });
}

/** The mask of pairs (neighbours) with `alpha` on tokens beyond the shorter completion (TRL `ld_alpha`); null = 1. */
export function pairWeights(mask: Rows, alpha: number | null): Rows {
  if (alpha === null) return mask;
  const lengths = mask.map((row) => Array.from(row).reduce((a, b) => a + b, 0));
  return mask.map((row, r) => {
    const shared = Math.min(lengths[r]!, lengths[r ^ 1]!);
    let place = 0;
    return Array.from(row, (on) => (place += on) > shared ? on * alpha : on);
  });
}

/**
 * Metrics of pairs. Source: TRL 1.16 `dpo_trainer._compute_loss`.
 *
 * policy, reference   summed log-probs per completion, nats; neighbours are the chosen and the rejected one
 */
export function pairMetrics(policy: readonly number[], reference: readonly number[], beta: number): PreferenceMetrics {
  const rewards = policy.map((sum, r) => beta * (sum - reference[r]!));
  const chosen = everySecond(rewards, 0), rejected = everySecond(rewards, 1);
  return {
    chosen_reward: mean(chosen),
    rejected_reward: mean(rejected),
    reward_margin: mean(chosen.map((reward, p) => reward - rejected[p]!)),
    preference_accuracy: mean(chosen.map((reward, p) => (reward > rejected[p]! ? 1 : 0))),
    chosen_logprob: mean(everySecond(policy, 0)),
    rejected_logprob: mean(everySecond(policy, 1)),
  };
}

/**
 * Metrics of single completions; NaN counts as 0, as in TRL. Source: TRL 1.16 `kto_trainer._compute_loss`.
 *
 * policy, reference   summed log-probs per completion, nats
 * labels              1 = desirable, 0 = not
 */
export function labelledMetrics(
  policy: readonly number[],
  reference: readonly number[],
  labels: readonly number[],
  beta: number,
): PreferenceMetrics {
  const rewards = policy.map((sum, r) => beta * (sum - reference[r]!));
  const of = (values: readonly number[], label: number) =>
    mean(values.filter((_, r) => labels[r] === label).map((value) => (Number.isNaN(value) ? 0 : value)));
  const chosen = of(rewards, 1), rejected = of(rewards, 0);
  return {
    chosen_reward: chosen,
    rejected_reward: rejected,
    reward_margin: chosen === null || rejected === null ? null : chosen - rejected,
    preference_accuracy: null,
    chosen_logprob: of(policy, 1),
    rejected_logprob: of(policy, 0),
  };
}

/**
 * The mean over the tokens of some completions, of a metric that the graph summed over those and divided by all tokens.
 *
 * of   whether a completion is one of them
 */
export function meanOfSide(
  overAll: number | null | undefined,
  mask: Rows,
  of: (row: number) => boolean,
): number | null {
  let all = 0, side = 0;
  mask.forEach((row, r) => {
    const count = Array.from(row).reduce((a, b) => a + b, 0);
    all += count;
    if (of(r)) side += count;
  });
  return typeof overAll === "number" && side > 0 ? overAll * all / side : null;
}

const everySecond = (values: readonly number[], from: 0 | 1) => values.filter((_, i) => i % 2 === from);
const mean = (values: readonly number[]) =>
  values.length > 0 ? values.reduce((a, b) => a + b, 0) / values.length : null;
