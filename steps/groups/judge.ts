/** Which groups teach something: the rules of dynamic sampling. @module */
import type { ColumnTable } from "arquero";
import type { MethodNotes } from "../../gpu/losses/method.ts";
import { groupNumbers, groupRows, type Moments, moments, NO_SPREAD } from "../../data/statistics/mod.ts";
import { columnArray } from "../../data/tables/mod.ts";

interface Rule {
  readonly method: MethodNotes;
  passes(metric: Moments, range: readonly [number, number]): boolean;
}

/** Which groups are kept. */
export const KEEP = {
  spread: {
    method: {
      formula: "keep a group where largest - smallest metric > 1e-8",
      source: "DAPO, section 3.2 (dynamic sampling)",
      names: { verl: "algorithm.filter_groups.enable (default false), metric (acc, score, …), max_num_gen_batches=0" },
    },
    passes: ({ count, spread }) => count > 1 && spread > NO_SPREAD.rewards,
  },
  range: {
    method: {
      formula: "keep a group where low < mean metric < high",
      source: "OpenRLHF, samples_generator",
      names: { openrlhf: "--algo.dynamic_filtering_enable (default off), --algo.dynamic_filtering_range 0 1" },
    },
    passes: ({ count, mean }, [low, high]) => count > 0 && mean > low && mean < high,
  },
  all: {
    method: { formula: "keep every group", source: "Pass rates are kept, nothing is left out", names: {} },
    passes: () => true,
  },
} as const satisfies Record<string, Rule>;

export interface JudgedGroup {
  /** Row numbers of its completions. */
  readonly rows: readonly number[];
  readonly promptId: number;
  readonly reward: Moments;
  /** Share of its completions that the verifier accepts; null without a verdict. */
  readonly passRate: number | null;
  readonly passed: boolean;
}

/**
 * Judges every group of scored completions by a column: reward, correct (as 0 and 1) or the name of a reward function.
 * RangeError where the column is missing.
 */
export function judgeGroups(
  completions: ColumnTable,
  metric: string,
  keep: keyof typeof KEEP,
  range: readonly [number, number],
): JudgedGroup[] {
  const rewards = numbers(completions, "reward"), right = numbers(completions, "correct");
  const judged = numbers(completions, metric) ?? numbers(completions, `reward.${metric}`);
  if (judged === null || rewards === null) {
    throw new RangeError(
      `Cannot filter groups by "${metric}": table "completions" has no such reward; want reward, correct or the name of a ` +
        "reward of score_rewards",
    );
  }
  const ids = columnArray(completions, "prompt_id") as ArrayLike<number>;
  return groupRows(completions).map((rows) => {
    const verdicts = moments(rows.map((row) => right?.[row] ?? null));
    return {
      rows,
      promptId: ids[rows[0]!]!,
      reward: moments(rows.map((row) => rewards[row]!)),
      passRate: verdicts.count ? verdicts.mean : null,
      passed: KEEP[keep].passes(moments(rows.map((row) => judged[row]!)), range),
    };
  });
}

function numbers(completions: ColumnTable, name: string): (number | null)[] | null {
  if (!completions.column(name)) return null;
  const values = columnArray(completions, name) as ArrayLike<number | boolean | null>;
  return Array.from(values, (value) => value === null || value === undefined ? null : Number(value));
}

/** Groups as they follow each other in the table, of which the first `count` are taken: row numbers. */
export function firstGroups(completions: ColumnTable, count: number): number[] {
  return groupNumbers(completions).flatMap((group, row) => group < count ? [row] : []);
}
