/** Cause `learning_rate_zero`: the learning rate is 0 for the whole schedule. @module */
import { type CannotTell, defineDiagnosis, type Found } from "./diagnosis.ts";
import { AGREEING_RECORDS, recordsOf, show, written } from "./view/numbers.ts";
import { ofSchedule } from "./remedies/of_schedule.ts";
import { FIXED, IDLE_BEFORE, idleFrom, LEAST_IDLE } from "./view/learning_rate.ts";
import { isToldRounded, LEARNS, learnsFrom, MOVED_KL, MOVED_TIMES, staysReference } from "./view/rounded_rate.ts";
import { asNumber, setting, settingEvidence, settingNumber } from "./view/settings.ts";
import { isPreference } from "./view/groups.ts";
import type { RunView } from "./view/run_view.ts";
import { onAll } from "./view/on_records.ts";

export default defineDiagnosis({
  codes: ["C01"],
  wastes: "all",
  severity: "fatal",
  about: "The learning rate is 0 on every record, so nothing can change.",
  reads: ["learning_rate", "settings.learning_rate", "kl", "reward", "reward_margin", "accuracy", "loss"],
  decision: [
    written`The configured learning rate is 0; or it prints exactly 0 (not 0.000 in a rounded log) on at least three records and all of them. 0 on the first record is warm-up, 0 at the end is decay: from ${IDLE_BEFORE} of the run on; where it is 0 before that and to the end, on ${LEAST_IDLE} records, it is a warning.`,
    written`A printed 0 is a small rate, rounded, where the run of another trainer learns: the KL ends above ${MOVED_KL} and ${MOVED_TIMES} times where it began, or the reward, the margin, the accuracy (of examples also the loss) gets better by ${LEARNS} standard errors. Where the configured rate is above 0 and no KL of 0 (of pairs, no rewards of 0 on both sides) on every record shows that nothing moves, it stays open.`,
  ],
  hint: "Set a learning rate; check the schedule's number of steps.",
  remedy: [{ step: "apply_update", key: "learning_rate", usual: true }],
  lookAlikes: {
    update_too_small: "there the learning rate is above 0",
    healthy: "0.000 with three decimals is rounding",
  },
  taughtBy: "TRL: learning_rate 0, KL exactly 0, grad_norm 0.7",
  check(view): Found | CannotTell | null {
    return throughout(view) ?? spent(view);
  },
});

/** A rate that falls to 0 long before the end: the rest of the run costs and teaches nothing. */
function spent(view: RunView): Found | null {
  const first = idleFrom(view);
  if (first === null) return null;
  const cells = view.column("learning_rate"), known = recordsOf(cells), from = known.indexOf(first);
  const idle = known.length - from, last = known.at(-1)!;
  return {
    severity: "warning",
    trainSteps: view.stepsFrom(first),
    message: `The learning rate is 0 from train step ${view.trainSteps[first]} on: ${idle} of ${known.length} records`,
    evidence: [
      view.evidence("learning_rate", known[0]!),
      view.evidence("learning_rate", known[from - 1]!),
      view.evidence("learning_rate", first),
      view.evidence("learning_rate", last),
    ],
    hint: "Give the schedule as many steps as the run has, or end the run where the rate does.",
    ruledOut: { healthy: "a schedule that ends with its run reaches 0 at the end alone" },
  };
}

/** 0 on every record, or configured so. */
function throughout(view: RunView): Found | CannotTell | null {
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
  if (positive || known.length < AGREEING_RECORDS || (decimals !== null && decimals >= FIXED)) return null;
  if (view.imported) {
    if (learnsFrom(view) !== null || isToldRounded(view)) return null;
    if ((configured ?? 0) > 0 && !isStill(view)) return openBetween(configured!, onAll(view, known.length));
  }
  const gradient = view.finite("grad_norm");
  return {
    trainSteps: view.stepsAt(known),
    message: `The learning rate is 0 ${onAll(view, known.length)}${
      gradient.length > 0 ? `; grad_norm is ${show(gradient[0])}` : ""
    }`,
    evidence: [
      view.evidence("learning_rate", known[0]!),
      view.evidence("learning_rate", known.at(-1)!),
      ...(view.has("kl") ? [view.evidence("kl", known.at(-1)!)] : []),
    ],
    ruledOut: { broken_gradient_path: "a gradient arrives; it is multiplied by 0" },
    ...ofSchedule(view),
  };
}

/** The policy is shown to stay where it is; a KL that has no weight may print 0 without being computed. */
const isStill = (view: RunView) =>
  settingNumber(view, "kl_coef") !== 0 && (staysReference(view) || isPreference(view) && staysPaired(view));

/** Both sides of every pair are as likely as under the reference: their rewards print exactly 0. */
const staysPaired = (view: RunView) =>
  ["chosen_reward", "rejected_reward"].every((name) => {
    const cells = view.finite(name);
    return cells.length >= AGREEING_RECORDS && cells.every((value) => value === 0);
  });

/** The configuration and the log say two things. */
function openBetween(configured: number, where: string): CannotTell {
  return {
    missing: ["learning_rate with all its digits, or the KL to the reference"],
    because: `the learning rate prints 0 ${where}, but ${show(configured)} is configured: ` +
      "it may be a small one, rounded, or a schedule that never leaves 0",
  };
}
