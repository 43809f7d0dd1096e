/** The pairs of the table `preferences` as a reward model reads them. @module */
import type { TrainBatch } from "../../gpu/language_model.ts";
import { type Policy, PROMPTS_PER_PASS } from "../resources/policy.ts";
import { readAtTheEnd, type RewardModel } from "../resources/reward_model.ts";
import type { StepContext } from "../step.ts";
import { type Example, type ExampleOptions, readExamples, sameTokens } from "./examples.ts";

/** Two completions of one prompt, the chosen first. */
type TokenPair = Pick<Example, "prompt" | "completions">;

export interface Pairs {
  readonly train: readonly TokenPair[];
  readonly validation: readonly TokenPair[];
  readonly held_out: readonly TokenPair[];
  /** Train pairs whose completions are the same, where data are not checked for them. */
  readonly identical: number;
}

/** The pairs by split; throws a RangeError as `readExamples` does, and where none is to train on. */
export function pairRows(
  context: StepContext,
  policy: Policy,
  given: Pick<ExampleOptions, "maxLength" | "checkData">,
): Pairs {
  // A score is read in the place after a completion.
  const options = { ...given, pairs: true, besides: 1, what: "train a reward model" };
  const read = (split: string, checkData = false) => readExamples(context, policy, split, { ...options, checkData });
  const train = read("train", given.checkData);
  if (train.length === 0) {
    throw new RangeError('Cannot train a reward model: table "preferences" has no pair of split "train"');
  }
  const identical = train.filter(({ completions: [chosen, rejected] }) => sameTokens(chosen!, rejected!)).length;
  return { train, validation: read("validation"), held_out: read("held_out"), identical };
}

/** Pairs as a batch: both completions of a prompt beside each other, the chosen first; scores are read at the end. */
export function pairBatch(pairs: readonly TokenPair[], margin: number): TrainBatch {
  const tokens = pairs.flatMap(({ completions }) => completions);
  return {
    prompts: pairs.map(({ prompt }) => prompt),
    group: 2,
    ...readAtTheEnd(tokens),
    inputs: { margin: pairs.map(() => margin) },
  };
}

/** Share of pairs whose chosen completion scores above the rejected one; null where there is none. */
export async function ranked(
  { model }: Pick<RewardModel, "model">,
  pairs: readonly TokenPair[],
): Promise<number | null> {
  if (!pairs.length) return null;
  const batch = pairBatch(pairs, 0);
  const values = await model.values(batch, { promptsPerPass: PROMPTS_PER_PASS });
  const scores = values.map((row) => row.at(-1)!);
  return pairs.filter((_, i) => scores[2 * i]! > scores[2 * i + 1]!).length / pairs.length;
}
