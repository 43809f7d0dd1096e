/** Cause `truncated_completions`: completions reach the length cap before the answer. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { flatness, floorShare, isMostlyFloor, levelOf } from "./view/rewards.ts";
import { deviation, finiteOf, isNumber, mean, median, percent, recordsOf, show, written } from "./view/numbers.ts";
import { arrivalText } from "./view/arrival.ts";
import { courseOf, levelsSince, wayFrom } from "./view/course.ts";
import { gainEvidence, gainSince, gainText } from "./view/progress.ts";
import { setting, settingEvidence, settingNumber } from "./view/settings.ts";
import type { RunView } from "./view/run_view.ts";
import { scoreEvidence, scores } from "./view/scores.ts";
import { scoreName } from "./view/words.ts";
import { shownShare, type Truncation, truncation } from "./view/truncation.ts";

/** Rollouts of ours, and the share of cut completions in them, from which a run that gets no better is warned of. */
const WARNED_RECORDS = 8, WARNED_SHARE = 0.9;
const FEW = 0.1, CHANCE = 1.5; // Standard errors within which two halves of a run of which few are right are equally right.
const SOLVED = 0.9; // Where so many are right, the answers fit without an end of sequence.
const RECORDS = 5; // Rollouts of ours that show a habit.
const MOSTLY = 0.8; // Share of records without spread that is most of them.
/** Of a long run: share at the cap that is too many, and how far it grew. */
const CREPT = 0.14, GREW = 0.1;
const MOST = 0.5; // Share at the cap from which it is the rule.
const SURE = 4, SINCE = 2; // Standard errors of the growth, and stretches since it began.
const NOTHING = 0.01, LOW = 0.02; // An accuracy of nothing, and a reward of a few lucky samples, a share of its scale.

export default defineDiagnosis({
  codes: ["L01", "D02"],
  wastes: "cut",
  about: "Nearly all completions are cut off at the length cap before they reach an answer.",
  reads: [
    "truncated_fraction",
    "completion_length",
    "completion_length_max",
    "terminated_length",
    "reward",
    "accuracy",
  ],
  decision: [
    written`The median share of truncated completions is above ${MOST}, and the reward is at its floor or no group has spread, or in a run of ours at most ${NOTHING} % are right.`,
    "Where the share is not printed: shortest = mean = longest completion on three records.",
    written`Over a long run: the share has grown by ${GREW} to ${CREPT} and more, ${SURE} standard errors of its levels above the lowest, and nothing that the run is for rises since; a warning where nothing falls.`,
    "A note: truncation with a reward above the floor.",
    written`A warning in a run of ours of at least ${WARNED_RECORDS} rollouts, for all of it or its first half: the share is ${WARNED_SHARE}, at most ${SOLVED} are right, and neither the held-out score nor the accuracy (below ${FEW} by more than ${CHANCE} standard errors) has risen.`,
  ],
  hint: "Raise the length cap, or make the end of sequence reachable: chat template, end-of-sequence ids, prompts.",
  remedy: [{ step: "sample_groups", key: "max_new_tokens", mul: 2, max: 16384 }],
  lookAlikes: {
    old_logprob_nan: "there lengths jump to the cap after a NaN",
    learning_rate_too_high: "there the first records end by themselves",
    reward_hacking: "there the reward is at its maximum",
  },
  taughtBy: "TRL: clipped_ratio 1 at mean_length 256 = cap, mean_terminated_length 0, reward 0",
  check(view): Found | null {
    const cut = truncation(view);
    if (cut === null || (!view.imported && cut.records.length < RECORDS)) return null;
    const creeping = creepingUp(view);
    if (cut.median <= MOST) return creeping ?? firstHalf(view, cut);
    const flat = flatness(view);
    const floor = isMostlyFloor(view);
    const low = lowReward(view);
    const wrong = neverRight(view);
    const noSpread = flat !== null && flat.share > MOSTLY && flat.level !== "maximum";
    const reward = view.finite("reward");
    const solved = reward.length > 0 && levelOf(view, median(reward)) === "maximum" && !wrong;
    if (solved || !floor && !noSpread && !low && !wrong) {
      return creeping ?? firstHalf(view, cut) ?? aboveFloor(view, cut);
    }
    const cap = setting(view, "max_new_tokens");
    return {
      trainSteps: view.stepsAt(cut.records),
      message: `${atCap(cut)} and ${ending(view, { floor, low, wrong })}`,
      evidence: [
        ...(cut.column === null || cut.records.length === 0 ? [] : [view.evidence(cut.column, cut.records[0]!)]),
        ...(cut.records.length > 0 && view.has("completion_length")
          ? [view.evidence("completion_length", cut.records[0]!)]
          : []),
        ...(wrong ? [view.evidence("accuracy", view.column("accuracy").findLastIndex(isNumber))] : []),
        ...(cut.records.length > 0 && view.has("reward") ? [view.evidence("reward", cut.records[0]!)] : []),
        ...(cap === null ? [] : [settingEvidence(cap, "the cap")]),
      ],
      ruledOut: { reward_parser_mismatch: "the answer was never reached" },
      ...(settingNumber(view, "max_new_tokens") === null
        ? { confirm: "compare the longest completion with the cap" }
        : {}),
    };
  },
});

function atCap({ shown, length }: Truncation): string {
  return `${shown[0]!.toUpperCase()}${shown.slice(1)}${length === null ? "" : ` (mean length ${show(length)} tokens)`}`;
}

/** Some answers fit: a note, and a warning where nearly none ends by itself and the run gets no better. */
function aboveFloor(view: RunView, cut: Truncation): Found {
  const progress = progressOf(view);
  const isBad = !view.imported && cut.records.length >= WARNED_RECORDS && cut.median >= WARNED_SHARE &&
    progress !== null && progress.to <= Math.min(progress.from + progress.chance, SOLVED);
  const cap = setting(view, "max_new_tokens"), record = cut.records[0];
  return {
    severity: isBad ? "warning" : "info",
    trainSteps: view.stepsAt(cut.records),
    message: isBad
      ? `${atCap(cut)} and ${progress.what} goes from ${percent(progress.from)} to ${percent(progress.to)}`
      : `${atCap(cut)}, with a reward above the floor`,
    evidence: [
      ...(cut.column === null || record === undefined ? [] : [view.evidence(cut.column, record)]),
      ...(isBad ? progress.evidence : []),
      ...(cap === null ? [] : [settingEvidence(cap, "the cap")]),
    ],
  };
}

/** Over a long run: the share of cut completions has grown beyond a fifth, and since it grew nothing has risen. */
function creepingUp(view: RunView): Found | null {
  const course = courseOf(view, "truncated_fraction");
  if (course === null || course.now < CREPT) return null;
  const { from, by, sigma, left } = wayFrom(course, -1);
  if (by < GREW || sigma < SURE) return null;
  const at = course.levels[left]!.from, trainStep = view.trainSteps[at]!, gain = gainSince(view, trainStep);
  if (gain === null || !gain.still || levelsSince(course, left) < SINCE) return null;
  const cap = setting(view, "max_new_tokens");
  return {
    trainSteps: view.stepsFrom(at),
    trend: true,
    ...(gain.falls ? {} : { severity: "warning" }),
    message: `The share of completions that reach the length cap went from ${percent(Math.max(0, from))} to ${
      percent(course.now)
    }, and since train step ${trainStep} ${gainText(gain)}${arrivalText(view, course, MOST)}`,
    evidence: [
      view.evidence("truncated_fraction", at),
      view.evidence("truncated_fraction", course.records.at(-1)!),
      ...gainEvidence(gain, trainStep),
      ...(cap === null ? [] : [settingEvidence(cap, "the cap")]),
    ],
    ruledOut: { length_inflation: "the cap is reached" },
  };
}

/** A run that wrote to the cap for half of its train steps and has nothing from ending later. */
function firstHalf(view: RunView, cut: Truncation): Found | null {
  if (view.imported || cut.median >= WARNED_SHARE) return null;
  const share = view.column("truncated_fraction"), known = recordsOf(share);
  const records = known.slice(0, known.length >> 1), values = records.map((record) => share[record]!);
  const progress = progressOf(view);
  if (records.length < WARNED_RECORDS || median(values) < WARNED_SHARE || isMostlyFloor(view)) return null;
  if (progress === null || progress.to > Math.min(progress.from + progress.chance, SOLVED)) return null;
  const cap = setting(view, "max_new_tokens"), last = view.trainSteps[records.at(-1)!]!;
  return {
    severity: "warning",
    trainSteps: view.stepsAt(records),
    message: `Up to train step ${last} ${shownShare(values)}, and over the run ${progress.what} goes from ${
      percent(progress.from)
    } to ${percent(progress.to)}`,
    evidence: [
      view.evidence("truncated_fraction", records[0]!),
      view.evidence("truncated_fraction", records.at(-1)!),
      ...progress.evidence,
      ...(cap === null ? [] : [settingEvidence(cap, "the cap")]),
    ],
  };
}

/** The first and the last level of what is solved: the held-out score, else the accuracy of the completions. */
function progressOf(view: RunView) {
  const series = scores(view).find(({ values }) => values.length > 1);
  if (series !== undefined) {
    const last = series.values.length - 1;
    const evidence = [scoreEvidence(series, 0), scoreEvidence(series, last)];
    const what = scoreName(series);
    // The same prompts each time: what they differ by is no chance.
    return { what, from: series.values[0]!, to: series.values[last]!, chance: 0, evidence };
  }
  const accuracy = view.finite("accuracy"), half = accuracy.length >> 1;
  if (half === 0) return null;
  const evidence = [view.evidence("accuracy", view.column("accuracy").findLastIndex(isNumber))];
  const [first, second] = [accuracy.slice(0, half), accuracy.slice(-half)];
  // Where many are right the answers fit, and a level that only scatters is no harm.
  const few = mean(second) <= FEW;
  const chance = few ? CHANCE * Math.sqrt((deviation(first) ** 2 + deviation(second) ** 2) / half) : 0;
  return { what: "the accuracy", from: mean(first), to: mean(second), chance, evidence };
}

/** How the run ends, with the figures that the rules compared: what is hardly any is not none. */
function ending(view: RunView, { floor, low, wrong }: { floor: boolean; low: boolean; wrong: boolean }): string {
  const share = floorShare(view), right = mean(view.finite("accuracy")), flat = flatness(view)?.share ?? 1;
  if (floor) {
    return share === 1
      ? "the reward is at its floor"
      : `the reward is at its floor on ${percent(share)} of the records`;
  }
  if (wrong) return `${right === 0 ? "none" : `on average ${percent(right)}`} of all are right, whatever is rewarded`;
  if (low) return `the mean reward is ${show(mean(view.finite("reward")))}`;
  return flat === 1 ? "no group has spread" : `on ${percent(flat)} of the records no group has spread`;
}

/** Runs of ours: the task's verifier accepts (nearly) nothing; a reward above the floor is then paid for stumps. */
function neverRight(view: RunView): boolean {
  const accuracy = view.finite("accuracy");
  return !view.imported && accuracy.length >= RECORDS && mean(accuracy) <= NOTHING;
}

/** The reward stays within 2 % of the printed scale above 0: a few lucky samples among cut ones. */
function lowReward(view: RunView): boolean {
  const reward = view.finite("reward");
  const most = view.column("reward_max");
  const top = Math.max(1, ...finiteOf(most));
  return reward.length > 0 && isNumber(mean(reward)) && Math.abs(mean(reward)) <= LOW * top;
}
