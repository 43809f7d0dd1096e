/** The pairs of the table `preferences` as a reward model reads them. @module */
import type { ColumnTable } from "arquero";
import { columnArray } from "../../data/tables/mod.ts";
import type { TrainBatch } from "../../gpu/language_model.ts";
import { type Policy, PROMPTS_PER_PASS } from "../resources/policy.ts";
import { readAtTheEnd, type RewardModel } from "../resources/reward_model.ts";

/** A pair of completions of one prompt, as tokens with their end of sequence. */
interface TokenPair {
  readonly prompt: Int32Array;
  readonly chosen: Int32Array;
  readonly rejected: Int32Array;
}

export interface Pairs {
  readonly train: readonly TokenPair[];
  readonly validation: readonly TokenPair[];
  readonly held_out: readonly TokenPair[];
  /** Train pairs whose completions are the same. */
  readonly identical: number;
}

/** Reads the table; throws a RangeError for labelled completions, which are no pairs, and where nothing is to train on. */
export function pairRows(preferences: ColumnTable, policy: Pick<Policy, "encodePrompt" | "encodeCompletion">): Pairs {
  if (!preferences.column("chosen") || !preferences.column("rejected")) {
    throw new RangeError(
      'Cannot train a reward model: table "preferences" holds labelled completions, want pairs; load pairs',
    );
  }
  const [prompts, chosen, rejected, splits] = ["prompt", "chosen", "rejected", "split"].map((name) =>
    columnArray(preferences, name) as ArrayLike<string>
  );
  const pairs = { train: [] as TokenPair[], validation: [] as TokenPair[], held_out: [] as TokenPair[] };
  let identical = 0;
  for (let row = 0; row < preferences.numRows(); row++) {
    const split = splits![row] as keyof typeof pairs;
    if (split === "train" && chosen![row] === rejected![row]) identical++;
    const [better, worse] = [chosen![row]!, rejected![row]!].map((text) =>
      policy.encodeCompletion(prompts![row]!, text)
    );
    const longest = Math.max(better!.length, worse!.length) + 1;
    pairs[split].push({ prompt: policy.encodePrompt(prompts![row]!, longest), chosen: better!, rejected: worse! });
  }
  if (pairs.train.length) return { ...pairs, identical };
  throw new RangeError('Cannot train a reward model: table "preferences" has no pair of split "train"');
}

/** Pairs as a batch: both completions of a prompt beside each other, the chosen first; scores are read at the end. */
export function pairBatch(pairs: readonly TokenPair[], margin: number): TrainBatch {
  const tokens = pairs.flatMap(({ chosen, rejected }) => [chosen, rejected]);
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
