/** Log-probs of whole completions, by the models themselves: what losses and rewards of preferences are made of. */
import type { TrainingRun } from "./training_run.ts";

export const sum = (row: ArrayLike<number>) => Array.from(row).reduce((a, b) => a + b, 0);

/** What the policy and the reference say of rows, by the model itself. */
export async function sums(run: TrainingRun, rows: readonly { prompt: string; completion: string }[]) {
  const { policy } = run, reference = run.context("test").resource("reference");
  const of = rows.map(({ prompt, completion }) => ({
    prompts: [policy.encodePrompt(prompt, 0)],
    group: 1,
    completions: [policy.encodeAnswer(completion)],
  }));
  const ours = [], theirs = [];
  for (const one of of) {
    ours.push(sum((await policy.logprobs(one, 1))[0]!));
    theirs.push(sum((await reference.logprobs(one, 1))[0]!));
  }
  return { ours, theirs };
}
