/** What a pattern is: symptoms that together are a cause, and what its alternatives share. @module */
import type { Found } from "../diagnosis.ts";
import type { Cause } from "../mod.ts";
import { isReinforcement } from "../view/groups.ts";
import type { RunView, Setting } from "../view/run_view.ts";
import type { SymptomName } from "./symptoms.ts";

export interface Pattern {
  /** Symptoms that must be there: one of each list. */
  readonly all: readonly (SymptomName | readonly SymptomName[])[];
  readonly none?: readonly SymptomName[];
  /** Options that must be set as said; their rows are evidence. Null where they are not. */
  readonly options?: (view: RunView) => readonly Setting[] | null;
  readonly when?: (view: RunView) => boolean;
  /** A bare cry does not do: where its symptom is only said, a time, a number or what was run must stand beside it. */
  readonly isFirm?: true;
  readonly message: string;
  /** What to do instead of what the rule says, which is of another way to train. */
  readonly hint?: string;
  /** What is still not proved. */
  readonly confirm?: string;
  /** What to do, where it follows from what the run configures. */
  readonly advice?: (view: RunView) => Pick<Found, "hint" | "remedy" | "byHand">;
}

export type Patterns = Partial<Readonly<Record<Cause, readonly Pattern[]>>>;

export const BROKEN_TEXT = ["garbled", "repeats", "token_zero", "same_everywhere", "empty"] as const;
export const FALLS = ["reward_falls", "goal_falls"] as const;

/** Nothing says that it is something else. */
export const mayBeReinforcement = (view: RunView) => view.algorithm === null || isReinforcement(view);
/** Taught from texts or pairs: nothing is sampled in training. */
export const isTaught = (view: RunView) => view.algorithm !== null && !isReinforcement(view);
/** What a fall of the chosen side must have done: that both sides fall is so in most runs on pairs. */
export const DISPLACES = ["chosen_lost", "worse", ...FALLS, ...BROKEN_TEXT, "loss_rises"] as const;
