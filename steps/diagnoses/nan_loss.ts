/** Cause `nan_loss`: the loss is NaN from the first record while the reward is finite. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { isNonFinite, isNumber } from "./view/numbers.ts";
import { firstNonFinite, locatedNonFinite, nonFiniteEvidence, passingNonFinite } from "./view/non_finite.ts";
import { message, messageEvidence } from "./view/messages.ts";
import type { RunView } from "./view/run_view.ts";
import { isPreference, isReinforcement } from "./view/groups.ts";
import { constantOf } from "./view/rewards.ts";
import { onAll, onSome } from "./view/on_records.ts";

export default defineDiagnosis({
  codes: ["N01"],
  wastes: "all",
  about:
    "The loss is NaN from the first record, or on single batches, while rewards and text are finite: the loss computation is at fault.",
  reads: ["loss", "reward", "grad_norm", "entropy", "messages"],
  decision:
    "The loss is NaN on every record from the first, no entropy is NaN, and the sampled text still works: the reward moves or there is no reward. With grad_norm NaN as well it still is the loss while rewards move. In a log whose loss, gradient or policy statistics are finite again after the last record that is not, on two records and more: a warning of those records; a note where the gradient alone was infinite, or the log says that the update was skipped. Where no number is printed: torch's anomaly detection says which function's backward returned NaN.",
  hint: "Compute the loss of one batch in fp32 and look at padding, empty completions and divisions by a count of 0.",
  byHand: "Check for empty completions (0/0), for -inf in masked log-probs, and for half precision in the log-softmax.",
  lookAlikes: { non_finite_weights: "there the forward pass is NaN too", kl_nan_isolated: "there the loss is finite" },
  taughtBy: "TRL: loss nan on all records with moving rewards",
  check(view): Found | null {
    const first = firstNonFinite(view);
    if (first === null) return passing(view) ?? ofBackward(view);
    const located = locatedNonFinite(view);
    // In mid-run it is old_logprob_nan, except for infinities alone, which that cause leaves out.
    if (located !== null && !located.isWeight && (first.finiteBefore === 0 || first.infinite)) {
      const steps = view.stepsFrom(first.record);
      return {
        trainSteps: steps,
        message: `The update of train step ${
          steps[0]
        } is not finite; the weights are. First: ${located.evidence.value}`,
        evidence: [located.evidence, ...nonFiniteEvidence(view, first)],
        ruledOut: { non_finite_weights: "a replay found every weight finite" },
      };
    }
    if (first.record !== 0 || first.excerpt) return null;
    const loss = view.column("loss").some((value) => value !== null) ? "loss" : "policy_loss";
    const cells = view.column(loss).filter((value) => value !== null);
    if (cells.length === 0 || !cells.every((value) => Number.isNaN(value))) return null;
    if (view.column("entropy").some(isNonFinite)) return null;
    if (isPreference(view)) return null;
    const reward = view.finite("reward");
    const gradient = view.column("grad_norm").some(isNonFinite);
    if (isReinforcement(view)) {
      if (reward.length === 0) return null;
      if (gradient && (reward.length < 2 || constantOf(reward) !== null)) return null;
    } else if (gradient && !view.column("grad_norm").some(isNumber)) return null;
    return {
      trainSteps: view.stepsFrom(0),
      message: `The loss is NaN ${onAll(view, cells.length)}${reward.length > 0 ? " while the reward is finite" : ""}`,
      evidence: [view.evidence(loss, 0), ...(reward.length > 0 ? [view.evidence("reward", 0)] : [])],
      ruledOut: { non_finite_weights: "the model still samples text that scores" },
      confirm: "print entropy and grad_norm of the first step",
    };
  },
});

/** Torch's anomaly detection: "Function 'Log1PBackward0' returned nan values in its 0th output." */
const OF_BACKWARD = /Function '(\w{1,60})' returned nan values in its/;

/** What was computed is finite, and has no slope there: the logarithm of 0, the root of 0. */
function ofBackward(view: RunView): Found | null {
  const found = message(view, OF_BACKWARD);
  if (found === null) return null;
  return {
    trainSteps: [],
    message: `The backward pass turns NaN in ${OF_BACKWARD.exec(found.text)![1]}: its input lies where it has no slope`,
    evidence: [messageEvidence(found)],
    hint: "Keep the input of that function off its edge (clamp it, add an epsilon), or compute it in fp32.",
    confirm: "print the smallest and the largest input of that function",
  };
}

/** What a trainer says of an update that it leaves out. */
const SKIPPED = /overflow|skip\w* .{0,40}(?:update|step)|grad_?norm is not finite/i;

/** Single batches: the run goes on with finite numbers, so its weights are sound. */
function passing(view: RunView): Found | null {
  const found = passingNonFinite(view);
  if (found === null) return null;
  const { records, columns, infinite } = found, steps = view.stepsAt(records), last = records.at(-1)!;
  const skipped = message(view, SKIPPED), isScaler = infinite && columns.every((name) => name === "grad_norm");
  const back = columns.find((name) => isNumber(view.column(name)[last + 1]));
  return {
    severity: isScaler || skipped !== null ? "info" : "warning",
    trainSteps: steps,
    wastes: "listed",
    message: `${columns.join(", ")} not finite ${onSome(view, records.length, view.records)} (train step ${steps[0]}${
      records.length > 1 ? ` to ${steps.at(-1)}` : ""
    }), and finite again after: the weights are sound`,
    evidence: [
      ...nonFiniteEvidence(view, found),
      ...(back === undefined ? [] : [view.evidence(back, last + 1)]),
      ...(skipped === null ? [] : [messageEvidence(skipped)]),
    ],
    hint:
      "Look at the batch of these train steps (an empty completion, a division by a count of 0), and skip its update.",
    ruledOut: { non_finite_weights: "numbers are finite again", old_logprob_nan: "numbers are finite again" },
  };
}
