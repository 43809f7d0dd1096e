/** Batches as callers give them: unpadded rows, checked, and cut into slices. @module */
import { type Loss, type LossInput, lossInputs } from "../losses/objectives.ts";
import type { Rows } from "../models/padding.ts";

/** Token ids, unpadded; completions of a prompt stand together, `group` of them each. */
export interface Sequences {
  readonly prompts: Rows;
  readonly group: number;
  readonly completions: Rows;
}

/** Per-token rows have the lengths of the completions. */
export interface TrainBatch extends Sequences {
  /** 1 on tokens that count; all of them where absent. */
  readonly completionMask?: Rows;
  /** One number per completion, or one per token. */
  readonly advantages?: ArrayLike<number> | Rows;
  /** Nats, under the policy that sampled and under the reference. */
  readonly oldLogprobs?: Rows;
  readonly refLogprobs?: Rows;
}

/** A batch cut into slices of at most `prompts` prompts; `first` is the first completion. */
export function slicesOf({ prompts, group, completions }: Sequences, most: number): (Sequences & { first: number })[] {
  if (completions.length !== prompts.length * group) {
    throw new RangeError(
      `Cannot read a batch of ${completions.length} completions: want ${prompts.length} prompts times group ${group}`,
    );
  }
  if (!(most >= 1)) throw new RangeError(`Cannot cut a batch into slices of ${most} prompts: want at least 1`);
  const result = [];
  for (let p = 0; p < prompts.length; p += most) {
    const first = p * group;
    result.push({
      prompts: prompts.slice(p, p + most),
      group,
      completions: completions.slice(first, (p + most) * group),
      first,
    });
  }
  return result;
}

/** The per-token rows that a loss reads, by input name. Throws a RangeError for what is missing or of another length. */
export function tokenRows(batch: TrainBatch, loss: Loss): Record<string, Rows> & { completion_mask: Rows } {
  const { completions, advantages } = batch;
  const ones = () => completions.map(({ length }) => new Float32Array(length).fill(1));
  const perToken = advantages && completions.map(({ length }, r) => {
    const value = advantages[r];
    return typeof value === "number" ? new Float32Array(length).fill(value) : value ?? [];
  });
  const given: Record<LossInput, Rows | undefined> = {
    advantages: perToken,
    old_logprobs: batch.oldLogprobs,
    ref_logprobs: batch.refLogprobs,
  };
  const rows: Record<string, Rows> = {};
  for (const name of lossInputs(loss)) {
    const values = given[name];
    if (!values) throw new RangeError(`Cannot compute the loss: it reads "${name}", which the batch has not`);
    rows[name] = values;
  }
  const result = { ...rows, completion_mask: batch.completionMask ?? ones() };
  for (const [name, values] of Object.entries(result)) {
    const wrong = completions.findIndex(({ length }, r) => values[r]?.length !== length);
    if (wrong >= 0 || values.length !== completions.length) {
      throw new RangeError(
        `Cannot compute the loss: "${name}" of completion ${wrong} has ${values[wrong]?.length ?? 0} values, ` +
          `want ${completions[wrong]?.length ?? 0}`,
      );
    }
  }
  return result;
}
