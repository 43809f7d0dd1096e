/** What a symptom is: what people say, and what shows it. @module */
import { claimed, claimEvidence, type Saying } from "./claimed.ts";
import type { Look } from "./looks.ts";
import type { SaidOf } from "../view/said_of.ts";

export interface Symptom {
  readonly about: string;
  /** From which numbers on they show it, as the rules' page says it; none where they must be 0 or NaN, or are texts. */
  readonly border?: string;
  readonly says?: readonly Saying[];
  /** Which of these claims count; all where it says nothing. */
  readonly counts?: (claim: SaidOf) => boolean;
  /** What takes it back where it is said behind it: a reward that rose at first and fell then has not risen. */
  readonly undone?: readonly Saying[];
  /** The numbers that show it, or texts; null where none do. */
  readonly shows?: Look;
}

/** Every pair of a subject and a predicate. */
export const each = <S extends string, P extends string>(subjects: readonly S[], predicates: readonly P[]) =>
  subjects.flatMap((subject) => predicates.map((predicate) => `${subject}.${predicate}` as const));

export const PAID = ["reward", "accuracy_reward", "iou_reward", "accuracy"] as const;
export const WRITTEN = ["completions", "policy"] as const;
export const GOALS = [...PAID, "evaluation"] as const;

const SHOWN = 2; // Claims that are shown.

/** Claims of which a part counts, as what shows a symptom. */
export const claims =
  (says: readonly Saying[], test: (claim: ReturnType<typeof claimed>[number]) => boolean): Look => (view) => {
    const said = claimed(view, says).filter(test);
    return said.length === 0 ? null : said.slice(0, SHOWN).map(claimEvidence);
  };
