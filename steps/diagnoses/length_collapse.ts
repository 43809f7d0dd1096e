/** Cause `length_collapse`: completions shrink without a gain. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { isReinforcement } from "./view/groups.ts";
import { goalsOf, rewardFunctions } from "./view/rewards.ts";
import { ends, gain, isNumber, median, recordsOf, show, written } from "./view/numbers.ts";
import { courseOf, crossing, levelsSince, wayFrom } from "./view/course.ts";
import { gainEvidence, gainSince, gainText } from "./view/progress.ts";
import { onset } from "./view/onset.ts";
import { EACH_OVER_ITS_OWN } from "./view/plain_loss.ts";
import { isUnmoved } from "./view/start.ts";
import type { RunView } from "./view/run_view.ts";

/** Records that show a fall, and those that are its start: it may come within the first quarter. */
const RECORDS = 10, START = 3;
const LONG = 4, LEFT = 0.25; // Tokens from which completions can shrink, and the share of them that is left.
/** Of a long run: share of its highest level that is left, standard errors, stretches since it began. */
const SLOW_LEFT = 0.45, SURE = 4, SINCE = 4;
const PAYS = 4; // Standard errors by which a reward function rises that pays for it.
const NO_GAIN = 0.05; // Share of the reward's scale that is no gain.

export default defineDiagnosis({
  codes: ["L02"],
  wastes: "all",
  severity: "warning",
  applies: (view) => isReinforcement(view) && !isUnmoved(view),
  about: "Completions shrink to a fraction of their length without any gain in reward.",
  reads: ["completion_length", "reward"],
  decision:
    written`The median length of the last quarter (at least ${RECORDS} records) is below ${LEFT} % of the first three records' or over a long run below ${SLOW_LEFT} % of its highest level, by ${SURE} standard errors, for ${SINCE} stretches; and the reward (the goal's, where other terms shape it; over a long run since half of the way was gone) did not rise by more than two standard errors and ${NO_GAIN} % of its scale. Another reward function that rises meanwhile, by ${PAYS} standard errors, is named as what pays for it.`,
  spoils: true,
  hint:
    "Go back to a checkpoint from before completions shrank; take penalties on length out, require a minimum length, or use a loss without a length bias.",
  // Later versions of TRL have no length bias unless they are told the old loss.
  remedy: [
    { step: "apply_update", key: "aggregation", set: "token_mean" },
    { option: "loss", set: "bnpo", where: EACH_OVER_ITS_OWN },
  ],
  lookAlikes: { reward_hacking: "there a proxy rises meanwhile; short but better is healthy" },
  taughtBy: "open-r1: completion length 387 to 190 with format up and accuracy down",
  check(view): Found | null {
    const length = view.column("completion_length");
    const known = recordsOf(length);
    if (known.length < RECORDS) return null;
    const values = known.map((record) => length[record]!);
    const [early, late] = [median(values.slice(0, START)), median(ends(values, START).last)];
    const slow = slowly(view);
    if (slow !== null) return slow;
    if (early < LONG || late >= LEFT * early) return null;
    const goals = goalsOf(view);
    const shaped = goals.length > 0 && goals.length < rewardFunctions(view).length;
    const reward = shaped ? [...goals[0]!.values] : view.finite("reward");
    const { by, error } = gain(reward);
    if (by > Math.max(2 * error, NO_GAIN * Math.max(1, ...reward.map(Math.abs)))) return null;
    const last = known.at(-1)!;
    return {
      trainSteps: view.stepsAt(known.slice(onset(values))),
      message: `Completions went from ${show(early)} to ${show(late)} tokens while ${
        shaped ? goals[0]!.name : "the reward"
      } changed by ${show(by)}`,
      evidence: [
        view.evidence("completion_length", known[0]!),
        view.evidence("completion_length", last),
        view.evidence("reward", last),
      ],
      ...ofPaid(view),
      ruledOut: { reward_hacking: "the reward does not rise" },
    };
  },
});

/** No update has moved the policy since: lengths follow the prompts. */
function isUnmovedSince(view: RunView, record: number): boolean {
  const gradients = view.column("grad_norm").slice(record).filter(isNumber);
  return gradients.length >= RECORDS && median(gradients) === 0;
}

/** What pays for short answers, where a reward function other than the goal rises over the run: that is to be changed. */
function ofPaid(view: RunView): Pick<Found, "hint" | "remedy"> {
  const paid = rewardFunctions(view).filter(({ kind }) => kind !== "goal").map(({ name, values }) => ({
    name,
    ...gain(values),
  })).filter(({ by, error }) => by > PAYS * error).toSorted((a, b) => b.by / b.error - a.by / a.error)[0];
  return paid === undefined ? {} : {
    hint: `Go back to a checkpoint with the old length. ${paid.name} rises meanwhile and may pay for short answers: ` +
      "weigh it less, or pay it only where the answer is right.",
    remedy: [],
  };
}

/** Over a long run: from its longest level less than half is left, and since half of that was gone nothing has risen. */
function slowly(view: RunView): Found | null {
  const course = courseOf(view, "completion_length");
  if (course === null) return null;
  const { from, sigma, left } = wayFrom(course, 1);
  if (from < LONG || course.now > SLOW_LEFT * from || sigma > -SURE) return null;
  // It may begin to shrink, a little, while the run still learns: what counts is the time in which it is short.
  const half = Math.max(left, crossing(course, (from + course.now) / 2, -1)), short = course.levels[half]!.from;
  const at = course.levels[left]!.from, trainStep = view.trainSteps[short]!, gain = gainSince(view, trainStep);
  if (gain === null || !gain.still || levelsSince(course, left) < SINCE || isUnmovedSince(view, at)) return null;
  return {
    // While it still learns the run loses nothing.
    trainSteps: view.stepsFrom(gainSince(view, view.trainSteps[at]!)?.still ? at : short),
    trend: true,
    message: `Completions went from about ${show(from)} to ${
      show(course.now)
    } tokens, and since train step ${trainStep} ${gainText(gain)}`,
    evidence: [
      view.evidence("completion_length", at),
      view.evidence("completion_length", course.records.at(-1)!),
      ...gainEvidence(gain, trainStep),
    ],
    ...ofPaid(view),
    ruledOut: { reward_hacking: "the reward does not rise" },
  };
}
