/** Cause `negative_kl_estimate`: a sampled KL is clearly below 0. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { PLAIN_SAMPLING } from "./remedies/often.ts";
import { AGREEING_RECORDS, isNumber, mean, show, written } from "./view/numbers.ts";
import { message, messageEvidence } from "./view/messages.ts";
import { stepOf } from "./view/run_view.ts";

const LAST = 20; // Records whose mean counts.
const NOISE = 0.005, MOSTLY = 0.6; // Nats per token, below the noise of an estimator; share of the records below 0.

export default defineDiagnosis({
  codes: ["M01"],
  wastes: "none",
  about:
    "The estimated KL is clearly below 0, which a true KL never is: the text was not sampled from the scored distribution.",
  reads: ["kl", "kl_sequence", "messages.negative_kl", "completion_length"],
  decision:
    written`The library's warning about a negative KL below -1; or a KL per completion below -1 on a record; or a KL per token whose mean over the last ${LAST} of at least ${AGREEING_RECORDS} records is below -${NOISE}, and below -1 times the completion length (where no length is printed, below -1), while it is below 0 on ${MOSTLY} % of all records or more.`,
  hint:
    "Sample at temperature 1 without top_k, top_p or penalties, or apply the same options where log-probabilities are computed.",
  remedy: PLAIN_SAMPLING,
  lookAlikes: { healthy: "values about -1e-3 are noise of the estimator" },
  taughtBy: "LLaMA-Factory PPO: KL divergence is starting to become negative: -5.27",
  check(view): Found | null {
    const warning = message(view, /KL divergence is starting to become negative|negative KL/i);
    const stated = warning === null
      ? null
      : warning.value ?? Number(/negative:?\s*(-?[\d.]+)/i.exec(warning.text)?.[1] ?? NaN);
    if (warning !== null && !(isNumber(stated) && stated > -1)) {
      return {
        trainSteps: stepOf(warning),
        message: `The library warns of a negative KL${isNumber(stated) ? ` of ${show(stated)}` : ""}`,
        evidence: [messageEvidence(warning)],
      };
    }
    const sequence = view.column("kl_sequence");
    const at = sequence.findIndex((value) => isNumber(value) && value < -1);
    if (at >= 0) {
      return {
        trainSteps: [view.trainSteps[at]!],
        message: `The KL per completion is ${show(sequence[at])}`,
        evidence: [view.evidence("kl_sequence", at)],
      };
    }
    if (view.algorithm === "kto") return null;
    const kl = view.finite("kl");
    const length = view.finite("completion_length");
    const level = mean(kl.slice(-LAST));
    const perCompletion = length.length === 0 ? level : level * mean(length.slice(-LAST));
    const negative = kl.filter((value) => value < 0).length;
    if (kl.length < AGREEING_RECORDS && !(kl.length > 0 && level < -1)) return null;
    if (!(perCompletion < -1 && level < -NOISE) || negative < MOSTLY * kl.length) return null;
    const record = view.column("kl").findIndex((value) => isNumber(value) && value < 0);
    return {
      trainSteps: view.stepsFrom(record),
      message: `The KL averages ${show(level)} nats per token`,
      evidence: [view.evidence("kl", record)],
    };
  },
});
