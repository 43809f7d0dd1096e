/**
 * A rollout whose log-probs are those of a case: the policy's own stay, old and reference ones are put as far from them as
 * the case has them apart. Losses depend on nothing else, so that the step gives the case's numbers.
 */
import { tableOf } from "../../../data/tables/mod.ts";
import type { TrainingRun } from "./training_run.ts";

type Matrix = readonly (readonly number[])[];

/** Rows without a token that counts stay, masked. */
export interface GivenLogprobs {
  readonly logprobs: Matrix;
  /** Null: the policy itself sampled. */
  readonly old_logprobs: Matrix | null;
  readonly ref_logprobs?: Matrix;
  /** Absent: the sampler says what the policy says. */
  readonly sampling_logprobs?: Matrix;
  readonly completion_mask: Matrix;
  /** One per completion. */
  readonly advantages: readonly number[];
}

const MAX_NEW_TOKENS = 16;

/** The row of `updates` and of `metrics` after one update of `preset`, at learning rate 0: the policy stays as it is. */
export async function updateOn(run: TrainingRun, given: GivenLogprobs, params: Record<string, unknown>) {
  const { completion_mask: mask, old_logprobs: old, ref_logprobs: ref, sampling_logprobs: sampler } = given;
  const count = mask.length, width = mask[0]!.length;
  run.tables.advance();
  await run.run("sample_groups", { prompts_per_step: 1, group_size: count, max_new_tokens: MAX_NEW_TOKENS });
  const table = run.tables.table("completions");
  const columns = Object.fromEntries(table.columnNames().map((name) => [name, Array.from(table.array(name))]));
  const token_ids = mask.map((_, row) => Int32Array.from({ length: width }, (_, t) => 40 + (7 * row + 3 * t) % 50));
  const sequences = run.policy.sequences([columns["prompt"]![0] as string], token_ids);
  const own = await run.policy.logprobs(sequences, 1);
  const apart = (other: Matrix) => own.map((row, i) => row.map((p, t) => p - (given.logprobs[i]![t]! - other[i]![t]!)));
  run.tables.write({
    completions: tableOf("completions", {
      ...columns,
      token_ids,
      completion_tokens: mask.map(() => width),
      completion_mask: mask.map((row) => Float32Array.from(row)),
      advantage: given.advantages,
      sampler_logprobs: sampler ? apart(sampler) : own,
      old_logprobs: apart(old ?? given.logprobs),
      ...(ref ? { ref_logprobs: apart(ref) } : {}),
    }),
  }, "test");
  // The second update of a rollout is the first that reads old_logprobs.
  const position = old === null ? 0 : 1;
  const all = { learning_rate: 0, gradients_every: 0, ...params, updates_per_rollout: position + 1 };
  await run.run("apply_update", all, { position });
  const row = (name: "updates" | "metrics") => run.tables.table(name).objects().at(-1) as Record<string, number>;
  return { update: row("updates"), metrics: row("metrics"), sequences, own, old: apart(old ?? given.logprobs) };
}
