/** Counts verdicts on goldens by topic. @module */
import { NOT_IMPLEMENTED, type Verdict } from "./judge.ts";
import type { Float } from "./topic.ts";

/** One line of the table that `goldens` prints. */
export interface TopicSummary {
  readonly topic: string;
  readonly cases: number;
  readonly passed: number;
  /** Largest relative error by type, over the cases that were compared; null where none was. */
  readonly float64: number | null;
  readonly float32: number | null;
  /** No case was evaluated: no formula of ours is known to be this one. */
  readonly implemented: boolean;
  /** The first failures, as sentences without the case's name. */
  readonly failures: readonly { readonly case: string; readonly failure: string }[];
}

/** Failures that are kept by topic. */
const SHOWN = 3;

/** One summary per topic, in the order in which the topics first appear. */
export function summarize(verdicts: readonly Verdict[]): TopicSummary[] {
  const byTopic = Map.groupBy(verdicts, ({ topic }) => topic);
  return [...byTopic].map(([topic, all]) => {
    const failed = all.filter(({ failure }) => failure !== null);
    return {
      topic,
      cases: all.length,
      passed: all.length - failed.length,
      float64: largest(all, "float64"),
      float32: largest(all, "float32"),
      implemented: all.some(({ failure }) => failure !== NOT_IMPLEMENTED),
      failures: failed.slice(0, SHOWN).map(({ name, failure }) => ({ case: name, failure: failure! })),
    };
  });
}

function largest(verdicts: readonly Verdict[], dtype: Float): number | null {
  const errors = verdicts.flatMap(({ errors }) => errors[dtype] ?? []);
  return errors.length ? Math.max(...errors) : null;
}
