/** The step `pair_completions`: preferences from what the policy itself wrote. @module */
import { z } from "zod";
import { groupRows } from "../data/statistics/mod.ts";
import { columnArray, tableOfRows } from "../data/tables/mod.ts";
import { defineStep, type StepContext } from "./step.ts";

const params = z.strictObject({
  pairs_per_group: z.int().min(1).default(1).describe(
    "pairs of a group: of highest and lowest reward, of the second highest and the second lowest, and so on",
  ),
  min_gap: z.number().min(0).default(0).describe("rewards of a pair differ by more than this"),
});

type Params = z.output<typeof params>;

/** One pair, as the table `preferences` has it. */
type PairRow = Readonly<Record<"prompt" | "split" | "chosen" | "rejected", string> & { preference_id: number }>;

/**
 * Pairs of completions of one group, the chosen one of higher reward; they keep the split of their prompt and are added to
 * the pairs that are there. Completions without a reward or an end, and equal texts, are left out.
 * Source: Guo et al. 2024 (online preferences, arXiv 2402.04792); TRL OnlineDPOTrainer pairs two completions so.
 */
export const pairCompletions = defineStep({
  about: "Make preferences of completions: in each group one of high reward before one of low reward",
  params,
  reads: {
    prompts: ["prompt_id", "prompt", "split"],
    completions: ["prompt_id", "sample", "text", "truncated", "reward"],
    preferences: [{ column: "chosen", optional: true }],
  },
  writes: { preferences: ["preference_id", "prompt", "split", "chosen", "rejected"] },
  timedAs: "score",
  pure: true,
  outputs: z.object({
    pairs: z.int().describe("pairs made"),
    groups: z.int().describe("groups looked at"),
    paired: z.int().describe("groups with at least one pair; the others have nothing to compare"),
  }),
  run(given, context) {
    const before = pairsThere(context), prompts = promptsOf(context), table = context.table("completions");
    const texts = columnArray(table, "text") as ArrayLike<string>, ids = columnArray(table, "prompt_id");
    const truncated = columnArray(table, "truncated"),
      rewards = columnArray(table, "reward") as ArrayLike<number | null>;
    const groups = groupRows(table), made: PairRow[] = [];
    let paired = 0;
    for (const rows of groups) {
      const judged = rows.filter((row) => rewards[row] !== null && !truncated[row] && texts[row] !== "")
        .map((row) => ({ text: texts[row]!, reward: rewards[row]! }));
      const pairs = pairsOf(judged, given), prompt = prompts.get(ids[rows[0]!] as number)!;
      for (const pair of pairs) made.push({ preference_id: before.length + made.length, ...prompt, ...pair });
      paired += pairs.length > 0 ? 1 : 0;
    }
    if (made.length === 0) {
      throw new RangeError(
        `Cannot pair completions: in none of ${groups.length} groups do two that ended differ in reward by more than ` +
          `${given.min_gap}; sample more per prompt, or raise max_new_tokens where they are cut off`,
      );
    }
    return {
      tables: { preferences: tableOfRows("preferences", [...before, ...made]) },
      outputs: { pairs: made.length, groups: groups.length, paired },
    };
  },
});

interface Judged {
  readonly text: string;
  readonly reward: number;
}

function pairsOf(judged: readonly Judged[], { pairs_per_group, min_gap }: Params) {
  const falling = judged.toSorted((a, b) => b.reward - a.reward), most = Math.min(pairs_per_group, judged.length >> 1);
  return Array.from({ length: most }, (_, k) => [falling[k]!, falling.at(-1 - k)!] as const)
    .filter(([high, low]) => high.reward - low.reward > min_gap && high.text !== low.text)
    .map(([high, low]) => ({ chosen: high.text, rejected: low.text }));
}

function promptsOf(context: StepContext): Map<number, Pick<PairRow, "prompt" | "split">> {
  const table = context.table("prompts"), column = (name: string) => columnArray(table, name) as ArrayLike<string>;
  const ids = columnArray(table, "prompt_id") as ArrayLike<number>,
    prompts = column("prompt"),
    splits = column("split");
  return new Map(Array.from(ids, (id, row) => [id, { prompt: prompts[row]!, split: splits[row]! }]));
}

/** The pairs of the table, without what a step computed of them. Throws a RangeError for labelled completions. */
function pairsThere(context: StepContext): PairRow[] {
  const table = context.table("preferences");
  if (table.numRows() === 0) return [];
  if (!table.column("chosen")) {
    throw new RangeError(
      'Cannot pair completions: table "preferences" holds labelled completions, want pairs or nothing; set form: pairs of ' +
        "load_preferences, or leave it out",
    );
  }
  const [prompt, split, chosen, rejected] = ["prompt", "split", "chosen", "rejected"].map((name) =>
    columnArray(table, name) as ArrayLike<string>
  );
  return Array.from({ length: table.numRows() }, (_, row) => ({
    preference_id: row,
    prompt: prompt![row]!,
    split: split![row]!,
    chosen: chosen![row]!,
    rejected: rejected![row]!,
  }));
}
