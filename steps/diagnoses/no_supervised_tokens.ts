/** Cause `no_supervised_tokens`: labels are empty. @module */
import { type CannotTell, defineDiagnosis, type Found } from "./diagnosis.ts";
import { finiteOf, isNonFinite, isNumber, show } from "./view/numbers.ts";
import { message, messageEvidence } from "./view/messages.ts";
import { stepOf } from "./view/run_view.ts";

const NO_LABELS =
  /num_samples=0|num_samples should be a positive|labels? .{0,60}(?:all|are) .{0,10}-100|could not find (?:response|instruction) (?:key|template)|no (?:supervised|trainable|label) tokens|all (?:rows|examples|samples) .{0,40}(?:masked|dropped|filtered|truncated)|will be ignored in loss/i;

export default defineDiagnosis({
  codes: ["D02", "D04"],
  severity: "error",
  about: "No token carries a label: wrong response template, everything masked, or the answer is cut off.",
  reads: ["loss", "token_accuracy", "entropy", "grad_norm", "messages"],
  decision:
    "A message that says so (num_samples=0, all labels -100, response template not found); or on at least two records of supervised training a token accuracy of exactly 0 with a loss of 0 or NaN while the entropy is finite; or loss and gradient exactly 0 on at least three.",
  hint: "Print one tokenised row with its labels; fix the response template or raise max_length.",
  remedy: [{ option: "max_length", mul: 2, max: 32768 }],
  byHand: "Decode the tokens whose label is not -100: it must be the answer.",
  ours: "Look at the answers of the prompts: an empty one leaves nothing to learn.",
  lookAlikes: {
    non_finite_weights: "there the entropy is NaN",
    overfitting: "a loss that falls to 0 starts above 0",
  },
  taughtBy: "TRL SFT: max_length 4, num_samples=0; Unsloth: all labels are -100",
  check(view): Found | CannotTell | null {
    if (view.algorithm !== null && view.algorithm !== "sft" && view.records > 0 && view.has("reward")) return null;
    const said = message(view, NO_LABELS);
    if (said !== null) {
      return {
        trainSteps: stepOf(said),
        message: "No token carries a label",
        evidence: [messageEvidence(said)],
      };
    }
    if (view.algorithm !== "sft" || view.column("entropy").some(isNonFinite)) return null;
    const loss = view.column("loss");
    const accuracy = view.column("token_accuracy");
    const empty = loss.flatMap((value, record) =>
      (value === 0 || Number.isNaN(value)) && accuracy[record] === 0 && !isNonFinite(view.column("grad_norm")[record])
        ? [record]
        : []
    );
    const gradient = view.finite("grad_norm");
    const losses = finiteOf(loss);
    if (
      gradient.length === 0 && !view.has("token_accuracy") && losses.length >= 3 && losses.every((value) => value === 0)
    ) {
      return {
        missing: ["grad_norm", "mean_token_accuracy"],
        because: "the loss prints 0 on every record: no label, or a NaN that the trainer prints as 0",
      };
    }
    const zero = loss.flatMap((value, record) => value === 0 && view.column("grad_norm")[record] === 0 ? [record] : []);
    const nan = loss.flatMap((value, record) =>
      Number.isNaN(value) && view.column("grad_norm")[record] === 0 ? [record] : []
    );
    const counted = view.column("loss_tokens");
    const none = view.imported ? [] : loss.flatMap((_, record) => counted[record] === 0 ? [record] : []);
    const hits = none.length > 0
      ? none
      : empty.length >= 2
      ? empty
      : zero.length >= 3
      ? zero
      : nan.length >= 2
      ? nan
      : [];
    if (hits.length < 0.5 * loss.filter((value) => value !== null).length || hits.length === 0) return null;
    if (isNumber(loss[0]) && loss[0] > 0.01) return null;
    const at = hits[0]!;
    return {
      trainSteps: view.stepsAt(hits),
      message: `The loss is ${show(loss[at])} with ${
        accuracy[at] === 0 ? "a token accuracy of 0" : "a gradient of 0"
      } from the first record: no label counts`,
      evidence: [
        view.evidence("loss", at),
        ...(isNumber(accuracy[at]) ? [view.evidence("token_accuracy", at)] : []),
        ...(gradient.length > 0 ? [view.evidence("grad_norm", at)] : []),
      ],
      ruledOut: view.has("entropy") ? { non_finite_weights: "the entropy is finite" } : {},
    };
  },
});
