/** What the clipped loss must be while every ratio is 1: the proof that a loss of 0 is benign. @module */

/**
 * How token losses become one number, named as in a workflow: grpo is sequence_mean, bnpo token_mean, dr_grpo
 * sequence_sum_norm. dapo is rollout_token_mean, which is token_mean of the rollout's rows.
 */
export type LossForm = "sequence_mean" | "token_mean" | "sequence_sum_norm";

/**
 * L* of the clipped objective at ratio 1, without its KL term, nats per token: a token's is -A there (PPO eq. 7).
 *
 * advantages   [B]   tokens   [B] completion tokens that count in the loss   maxTokens   L of dr_grpo's divisor B·L
 * sequence_mean: -mean A · token_mean: -ΣA·|o| / Σ|o| · sequence_sum_norm: -ΣA·|o| / (B·L)
 * A sequence without tokens adds 0 to sequence_mean and still counts in B. Null without rows, or without tokens.
 */
export function expectedLoss(
  form: LossForm,
  advantages: ArrayLike<number>,
  tokens: ArrayLike<number>,
  maxTokens = 0,
): number | null {
  const rows = advantages.length;
  if (tokens.length !== rows) {
    throw new RangeError(`Cannot compute the expected loss: ${rows} advantages and ${tokens.length} lengths`);
  }
  let plain = 0, weighted = 0, total = 0;
  for (let row = 0; row < rows; row++) {
    if (tokens[row]! > 0) plain += advantages[row]!;
    weighted += advantages[row]! * tokens[row]!;
    total += tokens[row]!;
  }
  if (rows === 0 || total === 0) return null;
  if (form === "sequence_mean") return 0 - plain / rows;
  if (form === "token_mean") return 0 - weighted / total;
  if (!(maxTokens > 0)) throw new RangeError(`Cannot compute the expected loss: length ${maxTokens}, want at least 1`);
  return 0 - weighted / (rows * maxTokens);
}
