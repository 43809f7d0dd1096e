/** Batches of preferences as the train graph takes them, with the reference's log-probs. @module */
import type { Sequences, TrainBatch } from "../../gpu/language_model.ts";
import { batchKl } from "../../gpu/losses/kto.ts";
import { sequenceSums } from "../metrics/preference_metrics.ts";
import type { Example } from "./examples.ts";

type Rows = readonly ArrayLike<number>[];
/** Nats per token of each completion, at temperature 1. */
export type Logprobs = (sequences: Sequences) => Promise<Rows>;

/** Prompts with their one or two completions. */
export function sequencesOf(examples: readonly Example[]): Sequences {
  return {
    prompts: examples.map(({ prompt }) => prompt),
    group: examples[0]?.completions.length ?? 1,
    completions: examples.flatMap(({ completions }) => completions),
  };
}

/**
 * Every prompt with the completion of the row above, the first with the last one's, cut off where this prompt leaves it no
 * room (TRL's and OpenRLHF's KTO).
 */
export function mismatched(examples: readonly Example[]): Sequences {
  const completions = examples.map(({ uncut }, r) => {
    const above = examples.at(r - 1)!, whole = above.uncut?.completions[0] ?? above.completions[0]!;
    return whole.slice(0, uncut?.room);
  });
  return { prompts: examples.map(({ prompt }) => prompt), group: 1, completions };
}

/** The reference's log-probs of a batch's completions, and where KTO needs them of its mismatched pairs. */
export interface BatchReference {
  /** Null: the loss reads none. */
  readonly own: Rows | null;
  readonly mismatched: Rows | null;
}

const sums = (rows: Rows) => sequenceSums(rows, rows.map((row) => Array.from(row, () => 1)));

/** z of a batch: the policy's log-probs of its mismatched pairs against the reference's. */
export async function klOf(examples: readonly Example[], policy: Logprobs, reference: Rows): Promise<number> {
  const ours = sums(await policy(mismatched(examples))), theirs = sums(reference);
  return batchKl(ours.map((sum, r) => sum - theirs[r]!));
}

/** The batch of a loss of labelled completions. */
export function labelledBatch(examples: readonly Example[], reference: BatchReference, kl: number | null): TrainBatch {
  return {
    ...sequencesOf(examples),
    inputs: {
      ref_logprobs: reference.own!,
      labels: examples.map(({ label }) => label!),
      ...(kl === null ? {} : { batch_kl: kl }),
    },
  };
}

/** The batch of a loss of pairs. */
export function pairBatch(examples: readonly Example[], reference: BatchReference): TrainBatch {
  const chosenTokens = examples.reduce((sum, { completions }) => sum + completions[0]!.length, 0);
  return {
    ...sequencesOf(examples),
    inputs: {
      ...(reference.own === null ? {} : { ref_logprobs: reference.own }),
      chosen_share: examples.length / chosenTokens,
    },
  };
}

/** One batch of an update and what is known of it besides. */
export interface Part {
  readonly examples: readonly Example[];
  readonly batch: TrainBatch;
  /** z of KTO, nats per completion; null where the loss has none. */
  readonly kl: number | null;
}
