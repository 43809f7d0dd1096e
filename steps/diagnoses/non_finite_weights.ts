/** Cause `non_finite_weights`: the model holds NaN or infinite weights. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { SMALLER_STEPS } from "./remedies/often.ts";
import { firstNonFinite, locatedNonFinite, nonFiniteEvidence } from "./view/non_finite.ts";
import { isNonFinite, isNumber } from "./view/numbers.ts";
import type { RunView } from "./view/run_view.ts";
import { isReinforcement } from "./view/groups.ts";
import { levelOf } from "./view/rewards.ts";
import { message, messageEvidence } from "./view/messages.ts";
import { half } from "./told/telling_options.ts";

/** Before the first record nothing was trained: there is no checkpoint to go back to. */
const AT_ONCE = {
  hint: "Load the weights that training began with and look for the first tensor that is not finite.",
  byHand:
    "Check the tensors of the model that training began with for NaN and infinities, then one forward pass in fp32.",
} as const;

export default defineDiagnosis({
  codes: ["D06", "N01"],
  wastes: "all",
  severity: "fatal",
  about: "The model holds NaN or infinite weights: every number computed from them is NaN.",
  reads: ["grad_norm", "entropy", "non_finite", "loss", "messages"],
  decision:
    "grad_norm and entropy (where printed) are NaN in the first record of the run; outside reinforcement learning also a NaN later that no other cause explains; or sampling stops with inf or nan probabilities before any record; or, in a run of ours, the measured norm of the weights is not finite. A loss of 0.0 beside it is the trainer's NaN filter.",
  hint: "Reload the weights or an earlier checkpoint and look for the first tensor that is not finite.",
  remedy: [SMALLER_STEPS],
  byHand: "Check the checkpoint's tensors for NaN and infinities; go back to the last good one.",
  lookAlikes: {
    benign_zero_loss: "there grad_norm is finite",
    nan_loss: "there only the loss is NaN",
    old_logprob_nan: "there records before it are finite",
  },
  taughtBy: "TRL SFT: loss 0.0 with grad_norm nan and entropy nan from step 1",
  check(view): Found | null {
    const first = firstNonFinite(view);
    if (first === null) return crashed(view);
    const located = locatedNonFinite(view);
    if (located !== null && !located.isWeight) return null;
    const at = first.record;
    const cell = (name: string) => view.column(name)[at];
    // Our runs measure the weights: their relative change is NaN if one of them is not finite.
    const own = !view.imported;
    if (own && !isNonFinite(view.column("relative_update")[at])) return null;
    const forward = isNonFinite(cell("entropy")) || first.vanished.includes("entropy");
    const gradient = isNonFinite(cell("grad_norm"));
    const reward = cell("reward");
    const bottom = isNumber(reward) && levelOf(view, reward) === "floor";
    if (first.infinite && !gradient) return null;
    const fromStart = first.finiteBefore === 0 && !first.excerpt;
    if (isReinforcement(view)) {
      if (!own && !fromStart) return null;
      if (!own && !(forward || (gradient && (bottom || !isNumber(reward))))) return null;
    } else if (fromStart ? !(gradient || forward) : !gradient && first.count < 2) return null;
    const hidden = cell("loss") === 0;
    return {
      trainSteps: view.stepsFrom(at),
      message: `${first.columns.join(", ") || "a tensor"} not finite ${
        fromStart ? "from the first record" : `from train step ${view.trainSteps[at]}`
      }${located !== null ? `, nor is the ${located.tensor}` : own ? ", nor are the weights" : ""}${
        hidden ? "; the loss of 0 is the trainer's NaN filter" : ""
      }`,
      evidence: [
        ...(located === null ? [] : [located.evidence]),
        ...nonFiniteEvidence(view, first),
        ...(own ? [view.evidence("relative_update", at, "the norm of the weights is not finite")] : []),
        ...(hidden ? [view.evidence("loss", at, "NaN printed as 0")] : []),
      ],
      ruledOut: { benign_zero_loss: "the gradient norm is not finite" },
      ...(fromStart ? AT_ONCE : {}),
      // What is computed in fp16 may leave its range at once, and the weights be sound.
      ...(fromStart && half(view) !== null ? { confirm: "run the same in bf16 or fp32" } : {}),
    };
  },
});

/** Sampling stops before anything was measured. */
function crashed(view: RunView): Found | null {
  const crash = message(
    view,
    /probability tensor contains either|(weights?|parameters?|state_dict).{0,40}\b(nan|inf)\b|invalid multinomial distribution/i,
  );
  const healthy = ["loss", "grad_norm", "entropy"].some((name) => view.column(name).some(isNumber));
  if (crash === null || healthy && isReinforcement(view)) return null;
  return {
    trainSteps: [],
    message: "Sampling stops on probabilities that are inf or nan: the weights are not finite",
    evidence: [messageEvidence(crash)],
  };
}
