/** Cause `zero_reward_variance`: groups tie for mixed reasons, so advantages are 0. @module */
import { NO_SPREAD } from "../../data/statistics/mod.ts";
import { type CannotTell, defineDiagnosis, type Found } from "./diagnosis.ts";
import { flatness, floorShare, NEARLY_SOLVED, nearlySolved } from "./view/rewards.ts";
import { endsAtTop } from "./view/progress.ts";
import { ALL, cancelling, flatGroupShare, shareAt, sharedRecords, spreadOf } from "./view/spread.ts";
import { courseOf, crossing } from "./view/course.ts";
import { AGREEING_RECORDS, finiteOf, mean, percent, show, trendScore, written } from "./view/numbers.ts";
import { groupSize } from "./view/groups.ts";
import { settingNumber } from "./view/settings.ts";
import { interval, startsAtBeginning } from "./view/start.ts";
import { quote, rewardOf } from "./view/texts.ts";
import { type RunView, stepOf } from "./view/run_view.ts";

const WINDOW = 20; // Records over which the share of flat groups is averaged.
/** Share of printed groups, in so many completions, that decides without a record. */
const PRINTED_FLAT = 0.95, COMPLETIONS = 16;
const FLOOR = 0.9; // Share of records at the floor that is another cause.
/** Train steps of ours that show whether rare rewards become more; standard errors of a slope that does, or may. */
const SPARSE_RECORDS = 40, RISING = 3, DOUBTFUL = 1.5;
const MANY = 0.95, YOUNG = 30; // Share of tied groups below which a young foreign run is not judged, and its train steps.
const HALF = 0.5; // The same of records at the maximum.
const MOST = 0.5; // Share of tied groups from which on more of them teach nothing than something.

export default defineDiagnosis({
  codes: ["R04"],
  wastes: "flat",
  severity: "warning",
  about: "The completions of nearly every group get the same reward, so there is nothing to prefer and no gradient.",
  reads: ["zero_spread_fraction", "group_reward_std", "reward_std", "reward", "completions.reward"],
  decision:
    written`The share of groups without reward spread, averaged over the last ${WINDOW} records that show it, is above ${NO_SPREAD.groups} and the reward lies between floor and maximum (an accuracy of ${NEARLY_SOLVED} and more, or over a long run a reward near the top of its scale, makes ties by itself). Where some groups differ it is silent if their share rises (slope above ${RISING} standard errors), and the verdict is open above ${DOUBTFUL} or before ${SPARSE_RECORDS} records of a run of ours. A record printed alone counts if every group is flat.`,
  hint:
    "Use prompts of mixed difficulty, larger groups, or a reward with partial credit; sample again where a group ties.",
  remedy: [{ step: "sample_groups", key: "group_size", mul: 2, max: 64 }],
  lookAlikes: {
    broken_gradient_path: "there the groups have spread and the gradient is 0 all the same",
    group_size_too_small: "there the share is what p^G + (1-p)^G predicts for 2 to 4 completions",
    constant_reward: "there the reward is one value on every record",
  },
  taughtBy: "TRL: frac_reward_zero_std 1.0 and grad_norm 0 while one reward function's batch deviation was 5.08",
  check(view): Found | CannotTell | null {
    const names = cancelling(view);
    if (names !== null) return cancelled(view, names);
    const spread = spreadOf(view);
    const known = sharedRecords(view);
    const recent = known.slice(-WINDOW);
    const level = mean(recent.map((record) => shareAt(spread, record)));
    const flat = flatness(view);
    if (recent.length === 0) return byCompletions(view);
    if (level <= NO_SPREAD.groups || (!view.imported && recent.length < WINDOW)) return null;
    if (recent.length < AGREEING_RECORDS && level < ALL) return null;
    // Up to there groups tie at the floor now and then, which all_incorrect_reward_floor does not name.
    if (flat !== null && flat.level !== "between" && flat.share > (flat.level === "floor" ? FLOOR : HALF)) return null;
    if (floorShare(view) > FLOOR || nearlySolved(view) || endsAtTop(view)) return null;
    const rise = level < ALL ? trendScore(differing(view)) : 0;
    if (rise > RISING) return null;
    const what = `in ${percent(level)} of the groups all completions get the same reward`;
    // Something may be learned from the others: that takes longer to see.
    const isYoung = view.imported
      ? tellsSteps(view) && view.records * interval(view) < YOUNG && startsAtBeginning(view)
      : known.length < SPARSE_RECORDS;
    if (rise > DOUBTFUL || level < (view.imported ? MANY : ALL) && isYoung) {
      return {
        missing: ["more train steps"],
        because: `${what}: whether the others become more is not to be seen yet`,
      };
    }
    const size = groupSize(view), from = tiesFrom(view);
    // Of the same records as the share: those of before have another mean where the reward has fallen.
    const rewards = finiteOf(recent.map((record) => view.column("reward")[record] ?? null));
    return {
      ...(from === null ? { trainSteps: view.stepsAt(recent) } : { trainSteps: view.stepsFrom(from), trend: true }),
      message: `I${what.slice(1)}${
        rewards.length === 0 ? "" : ` (mean reward ${show(mean(rewards))})`
      }: advantages and gradient are 0 there`,
      evidence: [recent[0]!, recent.at(-1)!].map((record) =>
        view.evidence(spread.from[record] ?? "reward_std", record)
      ),
      ruledOut: {
        broken_gradient_path: "without spread inside groups a gradient of 0 is what the formula gives",
        ...(size === null ? {} : { group_size_too_small: `groups have ${size} completions` }),
      },
    };
  },
});

/** Records that print no train step, and none say how many they stand for, may be of a long run. */
const tellsSteps = (view: RunView) => view.stepsPrinted || settingNumber(view, "logging_steps") !== null;

/** The record from which on most groups tie, over a long run; null where no course shows it. */
function tiesFrom(view: RunView): number | null {
  const tied = view.isWhole && view.has("zero_spread_fraction") ? courseOf(view, "zero_spread_fraction") : null;
  const left = tied === null ? -1 : crossing(tied, MOST);
  return left < 0 ? null : tied!.levels[left]!.from;
}

function cancelled(view: RunView, names: readonly string[]): Found {
  return {
    trainSteps: view.trainSteps.slice(-1),
    message: `The rewards ${names.join(" and ")} differ inside groups and their sum does not: they cancel`,
    evidence: view.completions.slice(0, 2).map((row) => quote(row, JSON.stringify(row.rewards))),
    hint: "Look at the signs and weights of the rewards: what one gives the other takes.",
    remedy: [],
  };
}

/** Where no record tells, the printed groups do. */
function byCompletions(view: RunView): Found | null {
  const printed = flatGroupShare(view), level = flatness(view)?.level ?? "between";
  if (printed === null || printed < PRINTED_FLAT || level !== "between") return null;
  if (view.records > 0 || view.completions.length < COMPLETIONS) return null;
  const row = view.completions[0]!;
  return {
    trainSteps: stepOf(row),
    message: `In ${percent(printed)} of the printed groups all completions get the same reward`,
    evidence: [rewardOf(row)],
  };
}

/** The share of groups that differ, where the log shows it: rare rewards that are learned from become more. */
function differing(view: RunView): number[] {
  const spread = spreadOf(view);
  return sharedRecords(view).map((record) => 1 - shareAt(spread, record));
}
