/** Cause `preference_margin_blowup`: the DPO margin runs away; it looks perfect. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import {
  AGREEING_RECORDS,
  type Cells,
  change,
  finiteOf,
  isNumber,
  mean,
  median,
  recordsOf,
  show,
  written,
} from "./view/numbers.ts";
import { isPreference } from "./view/groups.ts";
import type { RunView } from "./view/run_view.ts";

const MARGIN = 50; // A working margin stays below 10.
/** Records that show how far the chosen texts' log-probability fell, and nats that are worth a word. */
const FEW = 4, FELL = 5;
/** Share of an epoch in which nothing can be known by heart, and a loss that is nothing. */
const EARLY = 0.1, NO_LOSS = 1e-3;
const SEPARABLE = 0.99; // Held-out accuracy of data that are separable.

export default defineDiagnosis({
  codes: ["P02", "P03"],
  about:
    "The margin between chosen and rejected runs away: accuracy 1 and loss 0 look perfect while the policy is wrecked.",
  reads: ["reward_margin", "preference_accuracy", "loss", "chosen_logprob", "rejected_logprob", "epoch"],
  decision:
    written`A margin above ${MARGIN} in absolute value on two records (or the last); or accuracy 1 with a loss below ${NO_LOSS.toExponential()} on three records within the first ${EARLY} % of an epoch. With a held-out accuracy of 1 as well and a margin below ${MARGIN} the data are separable.`,
  spoils: true,
  hint: "Start again, or from a checkpoint before, with a tenth of the learning rate, a larger beta and one epoch.",
  remedy: [
    { step: "train_preferences", key: "learning_rate", mul: 0.1, usual: true, min: 1e-9 },
    { step: "train_preferences", key: "beta", mul: 2, max: 1 },
    { option: "epochs", set: 1 },
  ],
  lookAlikes: { healthy: "separable data have a held-out accuracy of 1 too" },
  taughtBy: "TRL DPO at learning rate 10: margin 7470, loss 0.0, accuracy 1.0",
  check(view): Found | null {
    if (!isPreference(view)) return null;
    const { name, margins } = marginsOf(view);
    return tooLarge(view, name, margins) ?? tooGood(view, margins);
  },
});

/** The margin as printed, else from its two rewards. */
function marginsOf(view: RunView): { name: string; margins: Cells } {
  const margins = view.column("reward_margin"), rejected = view.column("rejected_reward");
  if (margins.some(isNumber)) return { name: "reward_margin", margins };
  const differences = view.column("chosen_reward").map((value, record) => {
    const other = rejected[record];
    return isNumber(value) && isNumber(other) ? value - other : null;
  });
  return { name: "chosen_reward", margins: differences };
}

function tooLarge(view: RunView, name: string, margins: Cells): Found | null {
  const known = recordsOf(margins), large = known.filter((record) => Math.abs(margins[record]!) > MARGIN);
  if (large.length < 2 && (large.length === 0 || large.at(-1) !== known.at(-1))) return null;
  const chosen = view.finite("chosen_logprob"), fall = chosen.length >= FEW ? change(chosen).by : 0;
  const at = large.at(-1)!;
  return {
    trainSteps: view.stepsAt(large),
    message: `The margin reaches ${show(margins[at])}${
      fall < -FELL ? `, the log-probability of chosen texts fell by ${show(-fall)} nats` : ""
    }`,
    evidence: [
      view.evidence(name, known[0]!),
      view.evidence(name, at),
      ...["loss", "chosen_logprob"].filter((column) => isNumber(view.column(column)[at]))
        .map((column) => view.evidence(column, at)),
    ],
    ruledOut: { healthy: "a working margin stays below 10" },
  };
}

/** Everything right and nothing lost within the first part of an epoch. */
function tooGood(view: RunView, margins: Cells): Found | null {
  const [accuracy, epoch, loss] = ["preference_accuracy", "epoch", "loss"].map((name) => view.column(name));
  const early = recordsOf(epoch!).filter((record) =>
    epoch![record]! <= EARLY && accuracy![record] === 1 && isNumber(loss![record]) && Math.abs(loss![record]!) < NO_LOSS
  );
  const held = finiteOf(view.evaluation("preference_accuracy"));
  const separable = held.length > 0 && mean(held) > SEPARABLE && median(finiteOf(margins)) < MARGIN;
  if (early.length < AGREEING_RECORDS || separable) return null;
  const at = early[0]!;
  return {
    trainSteps: view.stepsAt(early),
    message: `Accuracy 1 and loss ${show(loss![at])} after ${show(epoch![at])} epochs: too good`,
    evidence: [view.evidence("preference_accuracy", at), view.evidence("loss", at), view.evidence("epoch", at)],
  };
}
