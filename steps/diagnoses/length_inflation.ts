/** Cause `length_inflation`: completions grow without gain. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { type Course, courseOf, levelsSince, wayFrom } from "./view/course.ts";
import { isReinforcement } from "./view/groups.ts";
import { show, written } from "./view/numbers.ts";
import { gainEvidence, gainSince, gainText } from "./view/progress.ts";

/** Times its lowest level at which it is on its way there, beyond so many standard errors, and levels over which it must grow. */
const ON_ITS_WAY = 1.35, CLEAR = 8, GROWS = 4;
const TIMES = 1.7; // Times its lowest level that the length must reach.
const SURE = 4, SINCE = 4; // Standard errors of the growth, and stretches since it began.
const TOKENS = 8; // Mean tokens from which a length can inflate.

export default defineDiagnosis({
  codes: ["L03"],
  wastes: "longer",
  severity: "warning",
  applies: isReinforcement,
  about: "Completions grow longer and longer and nothing is gained by it: tokens and hours are spent on words.",
  reads: ["completion_length", "evaluations.accuracy", "reward.<name>", "reward"],
  decision:
    written`Over a long run the mean length grows to ${TIMES} times its lowest level and more, by ${SURE} standard errors of its levels (or to ${ON_ITS_WAY} times, by ${CLEAR}, while it grows from stretch to stretch over the last ${GROWS}), and since it left that level neither the held-out score nor the goal (where neither is printed, the reward) has risen.`,
  hint:
    "Take the length out of what is rewarded (token_mean or a constant as denominator, no reward for length), or pay for short answers.",
  remedy: [{ step: "apply_update", key: "aggregation", set: "token_mean" }],
  byHand: "Look at late completions: what do the new words say?",
  lookAlikes: {
    truncated_completions: "there the cap is reached, and answers are cut off",
    repeated_token_degeneration: "there the texts loop",
    healthy: "growth with a rising held-out score is learning to reason",
  },
  taughtBy: "long runs of GRPO: 370 to 1,360 tokens at a flat held-out score",
  check(view): Found | null {
    const course = courseOf(view, "completion_length");
    if (course === null) return null;
    const { from, sigma, left } = wayFrom(course, -1);
    const isOnItsWay = course.now >= ON_ITS_WAY * from && sigma >= CLEAR && goesOn(course);
    if (course.now < TOKENS || course.now < TIMES * from && !isOnItsWay || sigma < SURE) return null;
    const at = course.levels[left]!.from, trainStep = view.trainSteps[at]!, gain = gainSince(view, trainStep);
    if (gain === null || !gain.still || levelsSince(course, left) < SINCE) return null;
    return {
      trainSteps: view.stepsFrom(at),
      trend: true,
      message: `Completions went from about ${show(from)} to ${
        show(course.now)
      } tokens, and since train step ${trainStep} ${gainText(gain)}`,
      evidence: [
        view.evidence("completion_length", at),
        view.evidence("completion_length", course.records.at(-1)!),
        ...gainEvidence(gain, trainStep),
      ],
      ruledOut: { healthy: `${gain.signal.name} does not rise with the length` },
    };
  },
});

/** True if each of the last levels lies above the one before it. */
function goesOn({ levels }: Course): boolean {
  const last = levels.slice(-GROWS);
  return last.every(({ value }, i) => i === 0 || value > last[i - 1]!.value);
}
