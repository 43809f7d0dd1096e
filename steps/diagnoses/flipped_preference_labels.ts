/** Cause `flipped_preference_labels`: chosen and rejected are swapped or shuffled. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { deviation, ends, finiteOf, isNumber, mean, median, show, written } from "./view/numbers.ts";
import { trainsSteps } from "./view/learning_rate.ts";
import { ownNumber } from "./view/settings.ts";
import type { RunView } from "./view/run_view.ts";
import { isPreference } from "./view/groups.ts";

const HELD_LOW = 0.3, TRAINED_HIGH = 0.7; // Accuracies that say opposite things of held-out and of training pairs.
const LAST_EVALUATIONS = 3, LAST_RECORDS = 4; // Evaluations whose median counts, and records whose mean does.
const SURE = 3; // Standard errors of a held-out accuracy that it must lie below a half.
const MOVED = 0.05; // A margin, or a reward, that is not 0 by chance; nats times beta.
const ALIVE = 1e-4; // Gradient norm of a run that learns.
/** Records, and updates, after which labels must have shown a signal; an accuracy this near a half shows none. */
const RECORDS = 10, UPDATES = 200, HALF_WIDTH = 0.05, CHANCE = 0.5;
const MARGINS = 20, SMALL_MARGIN = 0.2; // Records with a margin, and the share of the movement that it is at most.
/** Times less likely than what is called rejected: long texts differ by their length, short ones tell at half of it. */
const RATIO = 3, SHORT_RATIO = 1.5, LEAST_RATIO = 1.2;
const SHORT = 30, APART = 0.5; // A text of fewer nats is short; one that differs by more than this has another meaning.
const SHOWN = 5; // Train steps that the finding lists.
const FEW = 3; // The least of a first or last quarter.

export default defineDiagnosis({
  codes: ["P04", "R05"],
  severity: "warning",
  about: "Chosen and rejected are swapped or shuffled: the run learns the opposite, or nothing.",
  reads: ["preference_accuracy", "evaluations.preference_accuracy", "chosen_logprob", "rejected_logprob", "grad_norm"],
  decision:
    written`Held-out accuracy below ${HELD_LOW} (in a run of ours also by ${SURE} standard errors of its rows below a half) while training accuracy is above ${TRAINED_HIGH}; or training accuracy ${CHANCE} +- ${HALF_WIDTH} over the last quarter after at least ${UPDATES} updates with a gradient, or where no accuracy is printed a margin of 0 within two standard errors although the rewards moved by ${MOVED} (in a run of ours a note: a task too hard for the policy looks the same); or on at least ten records the policy gives what is called chosen at least three times lower log-probabilities (${SHORT_RATIO} times for texts of less than ${SHORT} nats, from step 1) than what is called rejected while training pushes further that way.`,
  hint: "Read ten pairs; swap the columns or repair the labels.",
  byHand: "Read ten pairs with their labels and swap the columns if the worse one is called chosen.",
  lookAlikes: { identical_preference_pairs: "there the gradient is about 0" },
  taughtBy: "catalogue P04 (TRL DPO and KTO with swapped columns)",
  check(view): Found | null {
    if (!isPreference(view)) return null;
    const name = "preference_accuracy";
    const train = view.finite(name);
    const held = finiteOf(view.evaluation(name));
    const late = ends(train, FEW).last;
    const heldOut = median(held.slice(-LAST_EVALUATIONS));
    // Of a few validation rows of ours chance is part of the accuracy.
    const rows = ownNumber(view, "validation_rows");
    const noise = rows === null || rows === 0 ? 0 : SURE * CHANCE / Math.sqrt(rows);
    const isSwapped = heldOut < Math.min(HELD_LOW, CHANCE - noise);
    if (isSwapped && mean(late) > TRAINED_HIGH) {
      return {
        severity: "error",
        trainSteps: view.trainSteps.slice(-1),
        message: `Accuracy is ${show(mean(late))} in training and ${
          show(heldOut)
        } on held-out pairs: the labels are swapped`,
        evidence: [view.evidence(name, view.column(name).findLastIndex(isNumber))],
      };
    }
    const margins = finiteOf(view.evaluation("reward_margin"));
    const own = view.finite("reward_margin");
    const margin = mean(own.slice(-LAST_RECORDS));
    if (
      // Ours prints the accuracy, too: a margin is one far pair among many as easily as swapped labels.
      (view.imported || isSwapped) && margins.length >= 2 && own.length >= LAST_RECORDS && margins.at(-1)! < -MOVED &&
      margin > MOVED &&
      margins.at(-1)! < margins[0]!
    ) {
      return {
        severity: "error",
        trainSteps: view.trainSteps.slice(-1),
        message: `The margin is ${show(margin)} in training and ${show(margins.at(-1))} on held-out pairs`,
        evidence: [view.evidence("reward_margin", view.records - 1)],
      };
    }
    const gradient = view.finite("grad_norm");
    const alive = gradient.length === 0 || median(gradient) > ALIVE;
    if (
      train.length >= RECORDS && trainsSteps(view) >= UPDATES && Math.abs(mean(late) - CHANCE) <= HALF_WIDTH && alive
    ) {
      return {
        severity: unlearned(view),
        trainSteps: [view.trainSteps[0]!, view.trainSteps.at(-1)!],
        message: `Accuracy is ${show(mean(late))} after ${
          trainsSteps(view)
        } updates with a gradient: labels carry no signal`,
        evidence: [view.evidence(name, view.column(name).findLastIndex(isNumber))],
        confirm: "the accuracy on pairs whose order you know",
      };
    }
    return noMargin(view) ?? upsideDown(view);
  },
});

/** A policy that cannot tell right from wrong learns as little from right labels: in a run of ours that is a note. */
const unlearned = ({ imported }: RunView) => imported ? "warning" : "info";

/** Rewards that move for hundreds of updates without a margin: where no accuracy is printed, this says the same. */
function noMargin(view: RunView): Found | null {
  const margins = view.finite("reward_margin");
  if (view.has("preference_accuracy") || margins.length < MARGINS || trainsSteps(view) < UPDATES) return null;
  const late = margins.slice(Math.floor(margins.length / 2));
  const moved = median(view.finite("chosen_reward").slice(-late.length).map(Math.abs));
  const error = deviation(late) / Math.sqrt(late.length);
  if (!(moved > MOVED) || mean(late) > 2 * error || mean(late) > SMALL_MARGIN * moved) return null;
  return {
    severity: unlearned(view),
    trainSteps: [view.trainSteps[0]!, view.trainSteps.at(-1)!],
    message: `The margin is ${show(mean(late))} after ${trainsSteps(view)} updates that moved the rewards by ${
      show(moved)
    }: labels carry no signal`,
    evidence: [view.evidence("reward_margin", view.column("reward_margin").findLastIndex(isNumber))],
    confirm: "the accuracy on pairs whose order you know",
  };
}

/** The policy finds "rejected" far more likely than "chosen" from the first record, and learns to undo it. */
function upsideDown(view: RunView): Found | null {
  const [chosen, rejected] = [view.column("chosen_logprob"), view.column("rejected_logprob")];
  const both = chosen.flatMap((value, record) =>
    isNumber(value) && isNumber(rejected[record]) && value < 0 && rejected[record]! < 0 ? [record] : []
  );
  if (both.length < RECORDS) return null;
  const ratios = both.map((record) => chosen[record]! / rejected[record]!);
  const { first } = ends(ratios, FEW);
  // Long texts differ by their length; short ones, of a few nats, tell at half the ratio.
  const short = both.slice(0, first.length).every((record) =>
    chosen[record]! > -SHORT && rejected[record]! - chosen[record]! > APART
  );
  if (median(first) < (short && view.trainSteps[0] === 1 ? SHORT_RATIO : RATIO) || Math.min(...first) < LEAST_RATIO) {
    return null;
  }
  return {
    trainSteps: view.stepsAt(both.slice(0, SHOWN)),
    message: `What is called chosen is ${
      show(median(first))
    } times less likely (in nats) than what is called rejected, from the first record`,
    evidence: [view.evidence("chosen_logprob", both[0]!), view.evidence("rejected_logprob", both[0]!)],
    confirm: "read ten pairs, or the accuracy on pairs whose order you know",
  };
}
