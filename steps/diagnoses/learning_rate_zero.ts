/** Cause `learning_rate_zero`: the learning rate is 0 for the whole schedule. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { AGREEING_RECORDS, recordsOf, show } from "./view/numbers.ts";
import { asNumber, setting, settingEvidence } from "./view/settings.ts";

export default defineDiagnosis({
  codes: ["C01"],
  severity: "fatal",
  about: "The learning rate is 0 on every record, so nothing can change.",
  reads: ["learning_rate", "settings.learning_rate", "kl"],
  decision:
    "The configured learning rate is 0; or it prints exactly 0 (not 0.000 in a rounded log) on at least three records and all of them. 0 on the first record is warm-up, 0 at the end is decay.",
  hint: "Set a learning rate; check the schedule's number of steps.",
  remedy: [{ step: "apply_update", key: "learning_rate", usual: true }],
  lookAlikes: {
    update_too_small: "there the learning rate is above 0",
    healthy: "0.000 with three decimals is rounding",
  },
  taughtBy: "TRL: learning_rate 0, KL exactly 0, grad_norm 0.7",
  check(view): Found | null {
    const entry = setting(view, "learning_rate");
    const configured = entry === null ? null : asNumber(entry.value);
    const cells = view.column("learning_rate");
    const known = recordsOf(cells);
    const positive = known.some((record) => cells[record]! !== 0);
    if (configured === 0 && !positive) {
      return {
        trainSteps: view.stepsAt(known),
        message: "The configured learning rate is 0",
        evidence: [settingEvidence(entry!), ...(known.length > 0 ? [view.evidence("learning_rate", known[0]!)] : [])],
      };
    }
    const decimals = view.decimals("learning_rate");
    if (positive || known.length < AGREEING_RECORDS || (decimals !== null && decimals >= 2)) return null;
    const gradient = view.finite("grad_norm");
    return {
      trainSteps: view.stepsAt(known),
      message: `The learning rate is 0 on all ${known.length} records${
        gradient.length > 0 ? `; grad_norm is ${show(gradient[0])}` : ""
      }`,
      evidence: [
        view.evidence("learning_rate", known[0]!),
        view.evidence("learning_rate", known.at(-1)!),
        ...(view.has("kl") ? [view.evidence("kl", known.at(-1)!)] : []),
      ],
      ruledOut: { broken_gradient_path: "a gradient arrives; it is multiplied by 0" },
    };
  },
});
