/** A reward model that a foreign log trains: its records look like supervised learning, with an accuracy of pairs. @module */
import { type Course, courseOf, errorOf, extreme } from "./course.ts";
import { isNumber, median } from "./numbers.ts";
import type { RunView } from "./run_view.ts";

/** Loss on a pair that is not told apart, and how far the first records lie from it: a fresh head scores at random. */
const UNTOLD = Math.LN2, NEAR = 0.3, OPENING = 5;
/** Accuracy of chance, and how near to it the first records are (of 16 pairs a batch has an error of 0.13, five of them 0.06). */
const COIN = 0.5, AROUND_COIN = 0.2;
const UNLEARNED_BY = 4, LEARNED = 0.05; // Standard errors, and the least that an accuracy had risen above a half.
const LEFT_OF = 0.5; // Share of what was learned above chance that is left of it at most.

/** True of a loss that starts at ln 2 with an accuracy of a half, and tokens of which nothing is printed: pairs, not texts. */
export function isRewardModel(view: RunView): boolean {
  if (!view.imported || view.algorithm !== "sft" || view.prints("token_accuracy") || view.prints("entropy")) {
    return false;
  }
  const first = (name: string) => median(view.column(name).filter(isNumber).slice(0, OPENING));
  return Math.abs(first("loss") - UNTOLD) < NEAR && Math.abs(first("accuracy") - COIN) < AROUND_COIN;
}

/** Long runs: pairs that were told apart no longer are, and the loss is above that of no answer; the two courses, or null. */
export function unlearnedPairs(
  view: RunView,
): { readonly accuracy: Course; readonly loss: Course; readonly best: number } | null {
  if (!view.isWhole || !isRewardModel(view)) return null;
  const [accuracy, loss] = [courseOf(view, "accuracy"), courseOf(view, "loss")];
  if (accuracy === null || loss === null) return null;
  const best = extreme(accuracy).value, learned = best - COIN, fell = best - accuracy.end;
  const isLost = learned > LEARNED && accuracy.end - COIN < LEFT_OF * learned &&
    fell > UNLEARNED_BY * errorOf(accuracy);
  return isLost && loss.end > UNTOLD && loss.end - extreme(loss, -1).value > UNLEARNED_BY * errorOf(loss)
    ? { accuracy, loss, best }
    : null;
}
