/** What the row of the table `metrics` says of preferences, beside what every update says. @module */
import { labelledMetrics, meanOfSide, pairMetrics, pairWeights, sequenceSums } from "../metrics/preference_metrics.ts";
import type { Update } from "../training/update.ts";
import type { Part } from "./batches.ts";
import type { Measured } from "./validation.ts";

export const METRIC_COLUMNS = [
  "kl",
  "entropy",
  "chosen_reward",
  "rejected_reward",
  "reward_margin",
  "preference_accuracy",
  "chosen_logprob",
  "rejected_logprob",
  "chosen_logits",
  "rejected_logits",
  "token_accuracy",
  "validation_accuracy",
  "validation_margin",
  "completion_length",
  "loss_tokens",
  "epoch",
] as const;

interface RowFacts {
  readonly beta: number;
  readonly ldAlpha: number | null;
  readonly epoch: number;
  readonly measured: Measured | null;
}

/** Means are over all batches of the update; a side that has no completion is null. */
export function preferenceRow(
  { result, row }: Update,
  parts: readonly Part[],
  { beta, ldAlpha, epoch, measured }: RowFacts,
): Record<(typeof METRIC_COLUMNS)[number], unknown> {
  const examples = parts.flatMap((part) => part.examples), all = result.logprobs.map((list) => list.map(() => 1));
  const isPair = examples[0]!.label === null, weights = isPair ? pairWeights(all, ldAlpha) : all;
  const policy = sequenceSums(result.logprobs, weights);
  const given = parts.flatMap(({ batch }) => (batch.inputs?.["ref_logprobs"] ?? []) as readonly ArrayLike<number>[]);
  const reference = given.length > 0 ? sequenceSums(given, weights) : policy.map(() => 0);
  const labels = examples.map(({ label }) => label!);
  const metrics = isPair ? pairMetrics(policy, reference, beta) : labelledMetrics(policy, reference, labels, beta);
  const isChosen = (completion: number) => isPair ? completion % 2 === 0 : labels[completion] === 1;
  const kls = parts.flatMap(({ kl }) => kl ?? []);
  return {
    kl: kls.length > 0 ? kls.reduce((a, b) => a + b, 0) / kls.length : null,
    entropy: row.entropy,
    ...metrics,
    chosen_logits: meanOfSide(result.metrics["chosen_logits"], all, isChosen),
    rejected_logits: meanOfSide(result.metrics["rejected_logits"], all, (completion) => !isChosen(completion)),
    token_accuracy: meanOfSide(result.metrics["token_accuracy"], all, isChosen),
    validation_accuracy: measured?.accuracy ?? null,
    validation_margin: measured?.margin ?? null,
    completion_length: result.tokens / all.length,
    loss_tokens: result.tokens,
    epoch,
  };
}
