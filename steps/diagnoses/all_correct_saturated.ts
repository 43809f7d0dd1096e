/** Cause `all_correct_saturated`: every completion gets the top reward, nothing is left to learn. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { courseOf, crossing, levelsSince } from "./view/course.ts";
import { endsAtTop, gainEvidence, gainSince, gainText, NEAR_TOP } from "./view/progress.ts";
import { flatness, goalsOf, rewardFunctions } from "./view/rewards.ts";
import { ALL, isNotCancelling, spreadSummary } from "./view/spread.ts";
import { rewardOf } from "./view/texts.ts";
import type { RunView } from "./view/run_view.ts";
import { AGREEING_RECORDS, isNumber, mean, percent, ROUNDING, show, written } from "./view/numbers.ts";
import { onSome } from "./view/on_records.ts";

/** Share of right completions, and of tied groups, from which nearly nothing is left to learn (R03). */
const SOLVED = 0.97, TIED = 0.85;
const FIRST = 5, SEEN = 10; // Records that are the beginning of a run, and records of which enough of the run is seen.
const CLIMB_RECORDS = 20; // Rewarded records of a run in which a climb is seen.
const BELOW = 0.8; // Mean of the goal at the beginning from which a run can be said to climb.
/** Of a long run: share of groups that tie, with its slack; share of the run in which they do. */
const MOST_TIE = 0.85, SLACK = 0.1, LONG = 0.5;
const WHOLE = 1.0001; // A share of 1, with rounding.

export default defineDiagnosis({
  codes: ["R03"],
  wastes: "flat",
  severity: "warning",
  applies: isNotCancelling,
  about: "Every completion already gets the top reward: no group has spread and nothing is left to learn.",
  reads: ["reward", "reward.<name>", "zero_spread_fraction", "reward_std", "grad_norm"],
  decision:
    written`All groups flat with the reward at its maximum (1, the sum of the weights, or every goal function at 1) from the first record, or in at least half of the records of an imported log; or at least ${SOLVED} % right from the first five records on with ${TIED} % of the groups tied. Over a long run also where for ${LONG} % of it most groups tie, ${MOST_TIE} % at the end, the goal (or the reward) ends at ${NEAR_TOP} % of its scale and nothing rises in that time. A run that is seen to climb to the maximum is a note.`,
  hint: "Stop here, or continue with harder prompts.",
  byHand: "Give harder prompts, or stop: the task is solved.",
  lookAlikes: {
    constant_reward: "there the value is no maximum of the scale",
    greedy_sampling: "there the completions of a group are identical",
    reward_hacking: "there another reward or a held-out score falls",
  },
  taughtBy: "TRL: a multiple-choice reward of 1.0 with deviation 0 on every group",
  check(view): Found | null {
    const flat = flatness(view), slow = slowly(view);
    if (slow !== null) return slow;
    if (flat === null || flat.level !== "maximum") return nearlyAll(view);
    const goals = goalsOf(view);
    if (goals.some((entry) => Math.abs(entry.values.at(-1)!) <= ROUNDING && goals.length > 1)) return null;
    if (view.records > 0 && flat.records.length < AGREEING_RECORDS && flat.rewarded > flat.records.length) return null;
    const gradient = view.column("grad_norm");
    const learned = flat.records.length > 0 &&
      gradient.slice(0, flat.records[0]).some((value) => isNumber(value) && value > ROUNDING);
    const most = flat.share >= (view.imported ? 0.5 : ALL);
    // Seen to climb there: the task is solved, which is no fault.
    const before = goals[0]?.values.slice(0, FIRST) ?? [];
    const climbed = learned && before.length === FIRST && mean(before) < BELOW && flat.rewarded >= CLIMB_RECORDS;
    const severity = most && !climbed && !(learned && !view.imported) ? "warning" : "info";
    if (!view.imported && flat.rewarded < SEEN) return null;
    const slips = most ? null : nearlyAll(view);
    if (slips !== null) return slips;
    return {
      severity,
      trainSteps: view.stepsAt(flat.records),
      message: `Every completion gets the top reward (${show(flat.reward)})${
        flat.share < 1 ? ` ${onSome(view, flat.records.length, flat.rewarded)}` : ""
      }${learned ? ", after the run has learned" : ""}: no group has spread${flat.share < 1 ? " there" : ""}`,
      evidence: flat.records.length === 0 ? view.completions.slice(0, 1).map(rewardOf) : [
        view.evidence("reward", flat.records[0]!),
        ...goals.slice(0, 2).map((entry) => view.evidence(entry.column, flat.records[0]!)),
      ],
      ruledOut: { constant_reward: "the value is the maximum of the scale" },
    };
  },
});

/** Over a long run: most groups tie since long before the end, because they are right, and nothing rises any more. */
function slowly(view: RunView): Found | null {
  const course = courseOf(view, "zero_spread_fraction");
  if (course === null || course.end < MOST_TIE) return null;
  const left = crossing(course, MOST_TIE - SLACK), long = Math.ceil(LONG * course.levels.length);
  if (left < 0 || levelsSince(course, left) < long || !endsAtTop(view)) return null;
  const late = view.trainSteps[course.levels[course.levels.length - long]!.from]!, gain = gainSince(view, late);
  if (gain === null || !(view.imported ? gain.level : gain.still) || gain.falls) return null;
  const at = course.levels[left]!.from;
  return {
    severity: "warning",
    trainSteps: view.stepsFrom(at),
    trend: true,
    message: `Since train step ${view.trainSteps[at]} more and more groups tie because all are right, at the end ${
      percent(course.end)
    }; since train step ${late} ${gainText(gain)}`,
    evidence: [
      view.evidence("zero_spread_fraction", at),
      view.evidence("zero_spread_fraction", course.records.at(-1)!),
      ...gainEvidence(gain, late),
    ],
    ruledOut: { zero_reward_variance: "the groups tie at the top" },
  };
}

/** Solved from the start: nearly every group ties because nearly every completion is right, a slip here and there. */
function nearlyAll(view: RunView): Found | null {
  const { share } = spreadSummary(view);
  const goals = rewardFunctions(view).filter((entry) => entry.kind === "goal" && Math.max(...entry.values) <= WHOLE);
  const solved = (values: readonly number[]) => mean(values.slice(0, FIRST)) >= SOLVED && mean(values) >= SOLVED;
  if (!view.imported || share === null || share < TIED || goals.length === 0) return null;
  if (goals[0]!.values.length < SEEN || !goals.every((entry) => solved(entry.values))) return null;
  return {
    severity: "warning",
    trainSteps: [view.trainSteps[0]!, view.trainSteps.at(-1)!],
    message: `${goals[0]!.name} is ${show(mean(goals[0]!.values))} from the first record and ${
      percent(share)
    } of the groups tie: nothing is left to learn`,
    evidence: [view.evidence(goals[0]!.column, 0), view.evidence(goals[0]!.column, view.records - 1)],
    ruledOut: { constant_reward: "some completions are still wrong" },
  };
}
