/** Cause `flipped_preference_labels`: chosen and rejected are swapped or shuffled. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { deviation, finiteOf, isNumber, mean, median, show } from "./view/numbers.ts";
import { trainsSteps } from "./view/learning_rate.ts";
import type { RunView } from "./view/run_view.ts";
import { isPreference } from "./view/groups.ts";

export default defineDiagnosis({
  codes: ["P04", "R05"],
  severity: "warning",
  about: "Chosen and rejected are swapped or shuffled: the run learns the opposite, or nothing.",
  reads: ["preference_accuracy", "evaluations.preference_accuracy", "chosen_logprob", "rejected_logprob", "grad_norm"],
  decision:
    "Held-out accuracy below 0.3 while training accuracy is above 0.7; or training accuracy 0.5 +- 0.05 over the last quarter after at least 200 updates with a gradient, or where no accuracy is printed a margin of 0 within two standard errors although the rewards moved by 0.05; or on at least ten records the policy gives what is called chosen at least three times lower log-probabilities (1.5 times for texts of less than 30 nats, from step 1) than what is called rejected while training pushes further that way.",
  hint: "Read ten pairs; swap the columns or repair the labels.",
  byHand: "Read ten pairs with their labels and swap the columns if the worse one is called chosen.",
  lookAlikes: { identical_preference_pairs: "there the gradient is about 0" },
  taughtBy: "catalogue P04 (TRL DPO and KTO with swapped columns)",
  check(view): Found | null {
    if (!isPreference(view)) return null;
    const name = "preference_accuracy";
    const train = view.finite(name);
    const held = finiteOf(view.evaluation(name));
    const late = train.slice(-Math.max(3, Math.floor(train.length / 4)));
    if (held.length > 0 && late.length > 0 && median(held.slice(-3)) < 0.3 && mean(late) > 0.7) {
      return {
        severity: "error",
        trainSteps: view.trainSteps.slice(-1),
        message: `Accuracy is ${show(mean(late))} in training and ${
          show(median(held.slice(-3)))
        } on held-out pairs: the labels are swapped`,
        evidence: [view.evidence(name, view.column(name).findLastIndex(isNumber))],
      };
    }
    const margins = finiteOf(view.evaluation("reward_margin"));
    const own = view.finite("reward_margin");
    if (
      margins.length >= 2 && own.length >= 4 && margins.at(-1)! < -0.05 && mean(own.slice(-4)) > 0.05 &&
      margins.at(-1)! < margins[0]!
    ) {
      return {
        severity: "error",
        trainSteps: view.trainSteps.slice(-1),
        message: `The margin is ${show(mean(own.slice(-4)))} in training and ${show(margins.at(-1))} on held-out pairs`,
        evidence: [view.evidence("reward_margin", view.records - 1)],
      };
    }
    const gradient = view.finite("grad_norm");
    const alive = gradient.length === 0 || median(gradient) > 1e-4;
    if (train.length >= 10 && trainsSteps(view) >= 200 && Math.abs(mean(late) - 0.5) <= 0.05 && alive) {
      return {
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

/** Rewards that move for hundreds of updates without a margin: where no accuracy is printed, this says the same. */
function noMargin(view: RunView): Found | null {
  const margins = view.finite("reward_margin");
  if (view.has("preference_accuracy") || margins.length < 20 || trainsSteps(view) < 200) return null;
  const late = margins.slice(Math.floor(margins.length / 2));
  const moved = median(view.finite("chosen_reward").slice(-late.length).map(Math.abs));
  const error = deviation(late) / Math.sqrt(late.length);
  if (!(moved > 0.05) || mean(late) > 2 * error || mean(late) > 0.2 * moved) return null;
  return {
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
  if (both.length < 10) return null;
  const ratios = both.map((record) => chosen[record]! / rejected[record]!);
  const first = ratios.slice(0, Math.max(3, Math.floor(ratios.length / 4)));
  // Long texts differ by their length; short ones, of a few nats, tell at half the ratio.
  const short = both.slice(0, first.length).every((record) =>
    chosen[record]! > -30 && rejected[record]! - chosen[record]! > 0.5
  );
  if (median(first) < (short && view.trainSteps[0] === 1 ? 1.5 : 3) || Math.min(...first) < 1.2) return null;
  return {
    trainSteps: view.stepsAt(both.slice(0, 5)),
    message: `What is called chosen is ${
      show(median(first))
    } times less likely (in nats) than what is called rejected, from the first record`,
    evidence: [view.evidence("chosen_logprob", both[0]!), view.evidence("rejected_logprob", both[0]!)],
    confirm: "read ten pairs, or the accuracy on pairs whose order you know",
  };
}
