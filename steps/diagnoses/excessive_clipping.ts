/** Cause `excessive_clipping`: rollouts are reused so long that many tokens are clipped. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { SMALLER_STEPS } from "./remedies/often.ts";
import { COURSE_VALUES, courseOf, wayFrom } from "./view/course.ts";
import { isReinforcement } from "./view/groups.ts";
import { mean, percent, recordsOf, written } from "./view/numbers.ts";
import type { RunView } from "./view/run_view.ts";
import { setting, settingEvidence, settingNumber } from "./view/settings.ts";
import { onSome } from "./view/on_records.ts";

/** Shares of clipped tokens: a working PPO stays below the first; at the second most of the gradient is gone. */
const WARN = 0.2, ERROR = 0.5;
/** Of a long run: share of clipped tokens at its end, times its lowest level, standard errors of the growth. */
const ON_ITS_WAY = 0.12, GREW = 3, SURE = 4;
const RECORDS = 3, OFTEN = 0.15; // Records of ours above it, and the share of those printed.

export default defineDiagnosis({
  codes: ["G03"],
  wastes: "clipped",
  severity: "warning",
  applies: isReinforcement,
  about: "Rollouts are reused so often, or steps are so large, that many tokens are clipped and lose their gradient.",
  reads: ["clip_fraction", "settings.updates_per_rollout", "settings.loss"],
  decision:
    written`The clip fraction is above ${WARN} (above ${ERROR} an error) on at least three records that make ${OFTEN} % of those printed; or over a long run it has grown to ${ON_ITS_WAY}, ${GREW} times its lowest level and ${SURE} standard errors above it. 0 is right for one update per rollout; sequence-level ratios (GSPO) and CISPO have other normal levels and are left out.`,
  hint: "Take fewer updates per rollout or smaller steps.",
  remedy: [
    { step: "apply_update", key: "updates_per_rollout", set: 1 },
    { step: "apply_update", key: "minibatches", set: 1 },
    SMALLER_STEPS,
  ],
  lookAlikes: { healthy: "0 on every record is right for one update per rollout" },
  taughtBy: "TRL: clip fraction 0.945 with 20 passes at learning rate 3e-2",
  check(view): Found | null {
    const kind = `${setting(view, "loss")?.value ?? ""} ${setting(view, "importance_level")?.value ?? ""}`;
    if (/gspo|sequence|cispo|gmpo|geo/i.test(kind)) return null;
    const column = view.column("clip_fraction");
    const known = recordsOf(column);
    const high = known.filter((record) => column[record]! > WARN);
    if (high.length < Math.max(view.imported ? 2 : RECORDS, OFTEN * known.length)) return growing(view);
    const level = mean(high.map((record) => column[record]!));
    const passes = setting(view, "updates_per_rollout");
    const clip = settingNumber(view, "clip_low");
    if (clip === 0) return null;
    return {
      severity: level > ERROR ? "error" : "warning",
      trainSteps: view.stepsAt(high),
      ...(known.length >= COURSE_VALUES ? { trend: true } : {}),
      message: `On average ${percent(level)} of the tokens are clipped ${onSome(view, high.length, known.length)}`,
      evidence: [
        view.evidence("clip_fraction", high[0]!),
        view.evidence("clip_fraction", high.at(-1)!),
        ...(passes === null ? [] : [settingEvidence(passes)]),
      ],
    };
  },
});

/** Over a long run: the share of clipped tokens has grown several times over and is on its way to where it is too high. */
function growing(view: RunView): Found | null {
  const course = courseOf(view, "clip_fraction");
  if (course === null || course.now < ON_ITS_WAY) return null;
  const { from, sigma, best, left } = wayFrom(course, -1), at = course.levels[left]!.from;
  if (course.now < GREW * from || sigma < SURE) return null;
  return {
    trainSteps: view.stepsFrom(at),
    trend: true,
    message: `The share of clipped tokens went from ${percent(Math.max(0, from))} to ${
      percent(course.now)
    } since train step ${view.trainSteps[at]}`,
    evidence: [
      view.evidence("clip_fraction", course.levels[best]!.from),
      view.evidence("clip_fraction", course.records.at(-1)!),
    ],
  };
}
