/** How well a policy tells the better completion from the worse, without training on it. @module */
import { labelledMetrics, pairMetrics, sequenceSums } from "../metrics/preference_metrics.ts";
import { type Logprobs, sequencesOf } from "./batches.ts";
import type { Example } from "./examples.ts";
import type { Reference } from "./references.ts";

export interface Measured {
  /** Share of pairs whose margin is positive; of labelled completions, those with a reward on their side of 0. */
  readonly accuracy: number | null;
  readonly margin: number | null;
}

/** Measures on given rows; rewards are β times the log-ratio to the reference, whole completions. */
export async function measure(
  examples: readonly Example[],
  logprobs: Logprobs,
  reference: Reference | null,
  { beta }: { readonly beta: number },
): Promise<Measured> {
  const rows = await logprobs(sequencesOf(examples)), all = rows.map((row) => Array.from(row, () => 1));
  const policy = sequenceSums(rows, all), own = (await reference?.(examples, false))?.own ?? null;
  const theirs = own === null ? policy.map(() => 0) : sequenceSums(own, all);
  if (examples[0]!.label === null) {
    const { preference_accuracy: accuracy, reward_margin: margin } = pairMetrics(policy, theirs, beta);
    return { accuracy, margin };
  }
  const labels = examples.map(({ label }) => label!);
  const right = labels.filter((label, r) => (policy[r]! - theirs[r]! > 0) === (label === 1)).length;
  return { accuracy: right / labels.length, margin: labelledMetrics(policy, theirs, labels, beta).reward_margin };
}
