/** Cause `entropy_collapse`: the policy's entropy falls to nothing without a gain in reward. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { SMALLER_STEPS } from "./remedies/often.ts";
import { ends, gain, LATE, mean, median, percent, recordsOf, show, written } from "./view/numbers.ts";
import { isReinforcement } from "./view/groups.ts";
import { flatness, levelOf, nearlySolved } from "./view/rewards.ts";
import { arrivalText } from "./view/arrival.ts";
import { type Course, COURSE_VALUES, courseOf, crossing, extreme, sigmaOf, wayFrom } from "./view/course.ts";
import { gainEvidence, gainSince, gainText, heightOf, MOSTLY_SOLVED } from "./view/progress.ts";
import { settingNumber } from "./view/settings.ts";
import { texts } from "./view/texts.ts";
import { onsetOfSize } from "./view/onset.ts";
import type { RunView } from "./view/run_view.ts";
import { ARRIVED, isUnmoved, seesFirstUpdate } from "./view/start.ts";

const COLD = 0.3; // Below this temperature the entropy of what is sampled says nothing of the policy.
const RECORDS = 10, FEW = 3; // Records that show a fall; the least of a quarter, and of groups.
const DEAD = 0.02; // Nats per token of a policy that has no choice left.
/** Share of the first entropy that is left of it, and share of the reward's scale that is no gain. */
const LEFT = 0.1, NO_GAIN = 0.05;
/** Of a long run: share of its highest entropy that is left, nats that leave no choice, share at which it is going. */
const SLOW_LEFT = 0.25, NO_CHOICE = 0.2, GONE = 0.5;
const SURE = 4, LEVELS = 12; // Standard errors of the fall, over so many stretches.
const ALIKE = 0.9; // Share of the groups with one text each.

export default defineDiagnosis({
  codes: ["E01"],
  wastes: "all",
  applies: isReinforcement,
  about: "The policy has become deterministic although the reward did not rise: it can no longer explore.",
  reads: ["entropy", "reward", "unique_fraction", "completions.text"],
  decision:
    written`The median entropy of the last quarter (at least ${RECORDS} records) is below ${LEFT} % of the first quarter's maximum and the reward gained less than ${NO_GAIN} % of its scale and is not at its maximum; or over a long run less than ${SLOW_LEFT} % of its highest level is left and at most ${NO_CHOICE} nats, by ${SURE} standard errors of its levels, and since ${GONE} % of it was gone neither the held-out score nor the goal (where none is printed, the reward) rises, a warning where it does not fall either, nothing where it stays above ${MOSTLY_SOLVED} % of its scale; or the entropy is below ${DEAD} nats per token from the start with identical completions at a normal temperature.`,
  spoils: true,
  hint:
    "Go back to a checkpoint with entropy, raise the upper clip, lower the learning rate, or add a small entropy bonus or KL.",
  remedy: [{ step: "apply_update", key: "clip_high", least: 0.28 }, SMALLER_STEPS],
  lookAlikes: {
    greedy_sampling: "there the entropy at temperature 1 is normal",
    all_correct_saturated: "falling entropy with rising reward is learning",
  },
  taughtBy: "TRL: entropy 0.32 to 0.0005 with all completions alike",
  check(view): Found | null {
    const temperature = settingNumber(view, "temperature");
    if (temperature !== null && temperature < COLD) return null;
    const reward = view.finite("reward");
    const top = reward.length > 0 && levelOf(view, median(reward.slice(-LATE))) === "maximum";
    if (top || nearlySolved(view)) return null;
    return (isUnmoved(view) ? null : fallen(view, reward) ?? slowly(view)) ?? deadFromTheStart(view);
  },
});

function fallen(view: RunView, reward: readonly number[]): Found | null {
  const column = view.column("entropy"), known = recordsOf(column);
  const values = known.map((record) => column[record]!);
  if (values.length < RECORDS || reward.length < LATE) return null;
  const { first, last } = ends(values, FEW);
  const [start, late, { by }] = [Math.max(...first), median(last), gain(reward)];
  const scale = Math.max(1, ...reward.map(Math.abs));
  if (start <= DEAD || late >= LEFT * start || by >= NO_GAIN * scale) return null;
  const end = known.at(-1)!, course = values.length < COURSE_VALUES ? null : courseOf(view, "entropy");
  return {
    ...(course === null
      ? { trainSteps: view.stepsAt(known.slice(onsetOfSize(values))) }
      : { trainSteps: view.stepsFrom(fallsFrom(course)), trend: true }),
    message: `Entropy fell from ${show(start)} to ${show(late)} nats per token while the reward changed by ${show(by)}`,
    evidence: [view.evidence("entropy", known[0]!), view.evidence("entropy", end), view.evidence("reward", end)],
    ruledOut: { greedy_sampling: "the policy itself has no entropy left" },
  };
}

/** Over a long run: most of the entropy is gone, and since it was half gone nothing that the run is for has risen. */
function slowly(view: RunView): Found | null {
  const course = courseOf(view, "entropy");
  if (course === null || course.levels.length < LEVELS) return null;
  const high = extreme(course).value;
  if (high <= DEAD || course.now > SLOW_LEFT * high || course.now > NO_CHOICE) return null;
  const half = crossing(course, GONE * high, -1);
  if (half < 0) return null;
  const at = course.levels[half]!.from, trainStep = view.trainSteps[at]!, gain = gainSince(view, trainStep);
  if (gain === null || !gain.still || sigmaOf(course) > -SURE) return null;
  // What is solved for the most part, and stays so, needs no choice.
  if (!gain.falls && heightOf(gain.signal.course) >= MOSTLY_SOLVED) return null;
  return {
    trainSteps: view.stepsFrom(fallsFrom(course)),
    trend: true,
    ...(gain.falls ? {} : { severity: "warning" }),
    message: `Entropy went from about ${show(high)} to ${
      show(course.end)
    } nats per token, and since train step ${trainStep} ${gainText(gain)}${arrivalText(view, course, DEAD)}`,
    evidence: [
      view.evidence("entropy", course.records[0]!),
      view.evidence("entropy", at),
      view.evidence("entropy", course.records.at(-1)!),
      ...gainEvidence(gain, trainStep),
    ],
    ruledOut: { all_correct_saturated: "nothing has risen since the entropy went" },
  };
}

/** The record at which the entropy left its highest level for where it is now. */
function fallsFrom(course: Course): number {
  return course.levels[wayFrom(course, 1).left]!.from;
}

function deadFromTheStart(view: RunView): Found | null {
  const known = recordsOf(view.column("entropy")), values = view.finite("entropy");
  const { identicalGroups, groups } = texts(view);
  if (values.length === 0 || mean(values) >= DEAD) return null;
  if (view.decimals("entropy") === 0 && values.every((value) => value === 0)) return null;
  if (identicalGroups === null || identicalGroups <= ALIKE || groups < FEW) return null;
  return {
    trainSteps: view.stepsAt(known),
    message: `The policy is deterministic from the start: entropy ${show(mean(values))} nats per token, one text in ${
      percent(identicalGroups)
    } of the groups`,
    evidence: [view.evidence("entropy", known[0]!)],
    ...(seesFirstUpdate(view) ? ARRIVED : {}),
    ...(flatness(view) === null ? { confirm: "print the entropy at temperature 1" } : {}),
  };
}
