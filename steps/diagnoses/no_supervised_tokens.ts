/** Cause `no_supervised_tokens`: labels are empty. @module */
import { type CannotTell, defineDiagnosis, type Found } from "./diagnosis.ts";
import { AGREEING_RECORDS, isNonFinite, isNumber, show } from "./view/numbers.ts";
import { isPreference } from "./view/groups.ts";
import { message, messageEvidence } from "./view/messages.ts";
import { type RunView, stepOf } from "./view/run_view.ts";

const LABELLED = 0.01; // A first loss above this counts labels.

const NO_LABELS =
  /num_samples=0|num_samples should be a positive|labels? .{0,60}(?:all|are) .{0,10}-100|could not find (?:response|instruction) (?:key|template)|no (?:supervised|trainable|label) tokens|all (?:rows|examples|samples) .{0,40}(?:masked|dropped|filtered|truncated)|will be ignored in loss/i;

export default defineDiagnosis({
  codes: ["D02", "D04"],
  wastes: "all",
  about: "No token carries a label: wrong response template, everything masked, or the answer is cut off.",
  reads: ["loss", "token_accuracy", "entropy", "grad_norm", "messages"],
  decision:
    "A message that says so (num_samples=0, all labels -100, response template not found); or on at least two records of supervised training a token accuracy of exactly 0 with a loss of 0 or NaN while the entropy is finite; or loss and gradient exactly 0 on at least three.",
  hint: "Print one tokenised row with its labels; fix the response template or raise max_length.",
  remedy: [{ option: "max_length", mul: 2, max: 32768 }],
  byHand: "Decode the tokens whose label is not -100: it must be the answer.",
  ours: "Look at the answers of the prompts: an empty one leaves nothing to learn.",
  lookAlikes: { non_finite_weights: "there the entropy is NaN", overfitting: "a loss that falls to 0 starts above 0" },
  taughtBy: "TRL SFT: max_length 4, num_samples=0; Unsloth: all labels are -100",
  check(view): Found | CannotTell | null {
    if (view.algorithm !== null && view.algorithm !== "sft" && view.records > 0 && view.has("reward")) return null;
    const said = message(view, NO_LABELS);
    if (said !== null) {
      return { trainSteps: stepOf(said), message: "No token carries a label", evidence: [messageEvidence(said)] };
    }
    if (isPreference(view)) return uncounted(view);
    if (view.algorithm !== "sft" || view.column("entropy").some(isNonFinite)) return null;
    const losses = view.finite("loss"), gradient = view.finite("grad_norm");
    const isZero = losses.length >= AGREEING_RECORDS && losses.every((value) => value === 0);
    if (gradient.length === 0 && !view.has("token_accuracy") && isZero) {
      return {
        missing: ["grad_norm", "mean_token_accuracy"],
        because: "the loss prints 0 on every record: no label, or a NaN that the trainer prints as 0",
      };
    }
    const loss = view.column("loss"), hits = unlabelled(view);
    if (hits.length < 0.5 * loss.filter((value) => value !== null).length || hits.length === 0) return null;
    if (isNumber(loss[0]) && loss[0] > LABELLED) return null;
    const at = hits[0]!, accuracy = view.column("token_accuracy")[at];
    return {
      trainSteps: view.stepsAt(hits),
      message: `The loss is ${show(loss[at])} with ${
        accuracy === 0 ? "a token accuracy of 0" : "a gradient of 0"
      } from the first record: no label counts`,
      evidence: [
        view.evidence("loss", at),
        ...(isNumber(accuracy) ? [view.evidence("token_accuracy", at)] : []),
        ...(gradient.length > 0 ? [view.evidence("grad_norm", at)] : []),
      ],
      ruledOut: view.has("entropy") ? { non_finite_weights: "the entropy is finite" } : {},
    };
  },
});

/** Pairs whose texts both have a log-probability of exactly 0: no token of either counts. */
function uncounted(view: RunView): Found | null {
  const [chosen, rejected] = [view.column("chosen_logprob"), view.column("rejected_logprob")];
  const pairs = chosen.flatMap((value, record) => isNumber(value) && isNumber(rejected[record]) ? [record] : []);
  if (!view.imported || pairs.length === 0 || !pairs.every((at) => chosen[at] === 0 && rejected[at] === 0)) return null;
  return {
    trainSteps: view.stepsAt(pairs),
    message: "The log-probabilities of chosen and rejected are exactly 0: no token of either counts",
    evidence: [view.evidence("chosen_logprob", pairs[0]!), view.evidence("rejected_logprob", pairs[0]!)],
    ruledOut: { identical_preference_pairs: "no text has a probability of 1" },
  };
}

/** Records without a label: a run of ours counts them; elsewhere accuracy, loss and gradient say so. */
function unlabelled(view: RunView): number[] {
  const [loss, gradient] = [view.column("loss"), view.column("grad_norm")];
  const where = (test: (record: number) => boolean) => loss.flatMap((_, record) => test(record) ? [record] : []);
  const none = view.imported ? [] : where((record) => view.column("loss_tokens")[record] === 0);
  if (none.length > 0) return none;
  const empty = where((record) =>
    (loss[record] === 0 || Number.isNaN(loss[record])) && view.column("token_accuracy")[record] === 0 &&
    !isNonFinite(gradient[record])
  );
  if (empty.length >= 2) return empty;
  const zero = where((record) => loss[record] === 0 && gradient[record] === 0);
  if (zero.length >= AGREEING_RECORDS) return zero;
  const nan = where((record) => Number.isNaN(loss[record]) && gradient[record] === 0);
  return nan.length >= 2 ? nan : [];
}
