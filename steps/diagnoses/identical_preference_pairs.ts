/** Cause `identical_preference_pairs`: chosen and rejected are the same text. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { AGREEING_RECORDS, isNumber, median, show, written } from "./view/numbers.ts";
import { LOSS_DIGITS, startLoss } from "./view/groups.ts";
import type { RunView } from "./view/run_view.ts";
import { onAll } from "./view/on_records.ts";

const PASS_ROUNDING = 1e-5; // Rounding of two equal forward passes; a pair that differs gives 1e-2 and more.
const SAME = 1e-3, NO_GRADIENT = 1e-3; // Part by which equal log-probs may differ, and a gradient norm that is none.

export default defineDiagnosis({
  codes: ["D01", "P04"],
  wastes: "all",
  about: "Chosen and rejected are the same text, so no preference is left to learn.",
  reads: ["loss", "grad_norm", "reward_margin", "chosen_logprob", "rejected_logprob"],
  decision:
    written`The DPO loss is ${Math.LN2} (within ${LOSS_DIGITS}) on at least three records (in a run of ours, which prints exact numbers, on one) and all of them, the margin 0 within ${PASS_ROUNDING}, and chosen and rejected log-probs are equal; where they are not printed, the gradient norm is above 0 and at most ${PASS_ROUNDING}.`,
  hint: "Drop pairs whose texts are equal; look whether truncation makes them equal.",
  byHand: "Compare the columns; raise max_length if pairs are equal only after the cut.",
  lookAlikes: {
    invalid_config_value: "with beta 0 grad_norm is exactly 0 and the log-probs differ",
    learning_rate_zero: "there a gradient arrives",
  },
  taughtBy: "TRL DPO: loss 0.6931 throughout, grad_norm 4e-8, margins 0",
  check(view): Found | null {
    if (view.algorithm !== "dpo") return null;
    const loss = view.finite("loss");
    const still = loss.every((value) => Math.abs(value - startLoss(view)) <= LOSS_DIGITS);
    // A run of ours prints exact numbers, of losses with other start values too: there the log-probs tell.
    if (view.imported ? loss.length < AGREEING_RECORDS || !still : loss.length === 0) return null;
    const margin = view.finite("reward_margin").map(Math.abs);
    if (margin.length > 0 && Math.max(...margin) > PASS_ROUNDING) return null;
    const [chosen, rejected] = [view.column("chosen_logprob"), view.column("rejected_logprob")];
    const pairs = chosen.flatMap((value, record) => isNumber(value) && isNumber(rejected[record]) ? [record] : []);
    const gradient = view.finite("grad_norm");
    const same = pairs.length > 0 &&
      pairs.every((record) =>
        Math.abs(chosen[record]! - rejected[record]!) <=
          (view.imported ? SAME : PASS_ROUNDING) * Math.max(1, Math.abs(chosen[record]!))
      );
    if (
      pairs.length > 0 || !view.imported
        ? !same
        : !(gradient.length > 0 && median(gradient) <= PASS_ROUNDING && Math.max(...gradient) > 0)
    ) return null;
    if (gradient.length > 0 && median(gradient) > NO_GRADIENT) return null;
    return {
      trainSteps: view.trainSteps,
      message: `The loss is ${losses(view, loss)}${
        same ? " and chosen and rejected have the same log-probability" : ""
      }`,
      evidence: [
        view.evidence("loss", 0),
        ...(gradient.length > 0 ? [view.evidence("grad_norm", 0)] : []),
        ...(same ? [view.evidence("chosen_logprob", pairs[0]!), view.evidence("rejected_logprob", pairs[0]!)] : []),
      ],
      ruledOut: gradient.length > 0 && Math.max(...gradient) > 0
        ? { invalid_config_value: `grad_norm is ${show(median(gradient))}, not exactly 0` }
        : {},
    };
  },
});

/** One value, or the range of a run of ours whose loss has other parts. */
function losses(view: RunView, loss: readonly number[]): string {
  const [least, most] = [Math.min(...loss), Math.max(...loss)].map(show);
  return `${least === most ? least : `${least} to ${most}`} ${onAll(view, loss.length)}`;
}
