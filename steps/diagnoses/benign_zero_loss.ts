/** Cause `benign_zero_loss`: the loss prints 0 because ratios are 1 and advantages sum to 0: healthy. @module */
import { type CannotTell, defineDiagnosis, type Found } from "./diagnosis.ts";
import { isNumber, LATE, median, recordsOf, ROUNDING, show, written } from "./view/numbers.ts";
import { isReinforcement } from "./view/groups.ts";
import { nearlySolved } from "./view/rewards.ts";
import { spreadOf, spreadSummary } from "./view/spread.ts";

const GROWN = 1e-5; // A KL that has grown beyond rounding.
const FLAT = 0.9; // Share of the records from which flat groups, and no healthy zero, are the reason.
/** What rounding and the pull of a KL leave where no reward teaches (7e-5 in a log of TRL); healthy runs: from 0.01 on. */
const FAINT = 1e-4;
/** The closed form is met within this of 1 + |L|, and within the loss's own rounding. */
const EXACT = 1e-6, LOSS_ROUNDING = 1e-5;

const PRINTED_ZERO = 1e-4; // transformers 4 rounds the loss to 4 decimals.

export default defineDiagnosis({
  codes: ["G00"],
  wastes: "none",
  severity: "info",
  about: "The loss prints 0 because every ratio is 1 and the advantages of a group sum to 0; the gradient is not 0.",
  reads: ["loss", "grad_norm", "kl", "expected_loss", "zero_spread_fraction"],
  decision:
    written`At least half of the printed losses are within ${PRINTED_ZERO} of 0 and the gradient norm is above ${FAINT} over all records and over the last ${LATE} whose groups are not all flat (or the KL grows where no gradient is printed); one below is left of nothing learned, and the verdict is open. For a run of ours it is proved: the loss equals the closed form of advantages and lengths at ratio 1 within ${EXACT} (1 + |L|).`,
  hint: "Nothing: watch reward, grad_norm and the share of groups without spread, not the loss.",
  lookAlikes: { broken_gradient_path: "there grad_norm is 0", zero_reward_variance: "there no group has spread" },
  taughtBy: "TRL: loss 0.0 with grad_norm 0.09 and reward_std 0.57 on every record",
  check(view): Found | CannotTell | null {
    if (!isReinforcement(view) && view.algorithm !== null) return null;
    const loss = view.column("loss");
    const known = recordsOf(loss);
    const zeros = known.filter((record) => Math.abs(loss[record]!) <= PRINTED_ZERO);
    if (known.length === 0 || zeros.length < 0.5 * known.length) return null;
    const norms = view.column("grad_norm"), isFlat = spreadOf(view).flat;
    // Where every group is flat nothing is learned: its gradient says nothing of the others.
    const live = zeros.filter((record) => isFlat[record] !== true);
    const gradient = live.map((record) => norms[record]).filter(isNumber);
    const kl = view.finite("kl");
    const growing = kl.length > 1 && kl.at(-1)! > GROWN && kl.at(-1)! > kl[0]!;
    const { flat, spread } = spreadSummary(view);
    if (gradient.length === 0 && !growing && flat.length + spread.length === 0) {
      return {
        missing: ["grad_norm"],
        because: "the loss prints 0: healthy if grad_norm is above 0, a dead run if it is 0",
      };
    }
    if (flat.length > 0 && flat.length >= FLAT * known.length) return null;
    if (live.length === 0 || (gradient.length === 0 && !growing) || median(gradient) <= ROUNDING) return null;
    const late = gradient.slice(-LATE);
    if (Math.min(median(gradient), median(late)) <= FAINT) {
      if (nearlySolved(view)) return null;
      return {
        missing: ["the share of groups without spread (frac_reward_zero_std)", "kl"],
        because: `the loss prints 0 and grad_norm is ${
          show(median(late))
        }: what rounding or a KL leaves where no reward teaches, no healthy first update`,
      };
    }
    const expected = view.column("expected_loss");
    const proved = live.filter((record) => {
      const target = expected[record];
      return isNumber(target) && Math.abs(loss[record]! - target) <= EXACT * (1 + Math.abs(target)) + LOSS_ROUNDING;
    });
    // What is told is what one record holds, the one that the evidence is of: a median is on no line.
    const isTelling = (record: number) => isNumber(norms[record]) && norms[record]! > FAINT;
    const at = proved.find(isTelling) ?? live.find(isTelling) ?? proved[0] ?? live[0]!;
    const isProved = proved.includes(at), latest = recordsOf(view.column("kl")).at(-1);
    const moved = isTelling(at)
      ? { record: at, name: "grad_norm", text: `grad_norm is ${show(norms[at])} at train step ${view.trainSteps[at]}` }
      : growing && latest !== undefined
      ? {
        record: latest,
        name: "kl",
        text: `the KL grows to ${show(kl.at(-1))} by train step ${view.trainSteps[latest]}`,
      }
      : null;
    return {
      trainSteps: view.stepsAt(live),
      message: isProved
        ? `The loss of 0 is right: ${show(loss[at])} equals the closed form at ratio 1, ${
          show(expected[at])
        }, up to rounding${moved === null ? "" : `; ${moved.text}`}`
        : `The loss prints 0 while ${moved?.text}: this is what a healthy first update of each rollout looks like`,
      evidence: [
        view.evidence("loss", at),
        ...(isProved ? [view.evidence("expected_loss", at)] : []),
        ...(moved === null ? [] : [view.evidence(moved.name, moved.record)]),
      ],
      ruledOut: { broken_gradient_path: "a gradient arrives" },
    };
  },
});
