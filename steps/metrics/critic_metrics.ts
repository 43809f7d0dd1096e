/** What a train step says of its critic: how well values foretold the returns, and how it was updated. @module */

/** What `criticMetrics` measures. */
export const CRITIC_COLUMNS = [
  "value_loss",
  "value_mean",
  "value_clip_fraction",
  "value_explained_variance",
  "return_mean",
  "return_std",
  "critic_grad_norm",
  "critic_learning_rate",
  "critic_non_finite",
] as const;

type CriticMetrics = Record<(typeof CRITIC_COLUMNS)[number], number | null>;
type Rows = readonly ArrayLike<number>[];

/** One update of the critic. */
export interface CriticUpdate {
  readonly loss: number;
  readonly gradNorm: number;
  /** Of the loss: share of tokens that the bound took; null without a bound. */
  readonly clipFraction: number | null;
  readonly learningRate: number;
  readonly applied: boolean;
}

/**
 * values    before each token, as they were when the rollout was scored, in units of the reward
 * returns   what came after each token
 * masks     1 on tokens that count
 *
 * Means over updates; explained variance 1 - Var(returns - values) / Var(returns) over the tokens that count, both
 * biased alike: 1 = foretold, 0 = no better than a constant, below 0 worse; null where returns do not differ (verl
 * `critic/vf_explained_var`, which divides by Var + 1e-5).
 */
export function criticMetrics(
  { values, returns, masks }: { readonly values: Rows; readonly returns: Rows; readonly masks: Rows },
  updates: readonly CriticUpdate[],
): CriticMetrics {
  const value = counted(values, masks), wanted = counted(returns, masks);
  const spread = variance(wanted), left = variance(wanted.map((x, i) => x - value[i]!));
  const clipped = updates.map(({ clipFraction }) => clipFraction).filter((share) => share !== null);
  return {
    value_loss: mean(updates.map(({ loss }) => loss)),
    value_mean: mean(value),
    value_clip_fraction: mean(clipped),
    value_explained_variance: spread !== null && spread > 0 ? 1 - left! / spread : null,
    return_mean: mean(wanted),
    return_std: spread === null ? null : Math.sqrt(spread),
    critic_grad_norm: mean(updates.map(({ gradNorm }) => gradNorm)),
    critic_learning_rate: updates.at(-1)?.learningRate ?? null,
    critic_non_finite: updates.filter(({ applied }) => !applied).length,
  };
}

function counted(rows: Rows, masks: Rows): number[] {
  return rows.flatMap((row, i) => Array.from(row).filter((_, t) => masks[i]![t]));
}

function mean(values: readonly number[]): number | null {
  return values.length ? values.reduce((a, b) => a + b, 0) / values.length : null;
}

function variance(values: readonly number[]): number | null {
  const middle = mean(values);
  return middle === null ? null : mean(values.map((x) => (x - middle) ** 2));
}
