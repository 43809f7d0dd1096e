/**
 * What in a post proves that its run learns. Few records on which no rule fires prove nothing: an untrained policy and a
 * broken one print the same. A proof is a number that only learning moves, or one that explains what is asked about. @module
 */
import { cutAtWord } from "../../../data/cut_at_word.ts";
import { isReinforcement, startLoss } from "../view/groups.ts";
import { isNumber, median, show } from "../view/numbers.ts";
import { goalsOf, rewardFunctions } from "../view/rewards.ts";
import type { RunView } from "../view/run_view.ts";
import { taskScores } from "../view/scores.ts";
import { claimed, type Saying } from "./claimed.ts";
import { SCORE_NEAR_TOP } from "./reward_symptoms.ts";
import { each } from "./symptom.ts";
import { onAll } from "../view/on_records.ts";

/** Values that are a course; of evaluations, each over many prompts, two are. */
const COURSE = 3, EVALUATIONS = 2;
/** What a reward, a held-out score and a held-out loss must gain, of their size; the share of the gain that must be left. */
const REWARD_GAIN = 0.05, SCORE_GAIN = 0.1, LEAST_SIZE = 0.05, LOSS_GAIN = 0.03, LEFT = 0.5;
/** Of its size, below which a held-out score has not moved; where it can hardly rise any more. */
const SCORE_STILL = 0.02;
/** What a training loss must fall, and from where on its rows are known by heart. */
const FALLEN = 0.95, NEXT_TO_NOTHING = 0.2;
/** Pairs in order, of which a coin has a half: learned from here on, and known by heart from there on. */
const ABOVE_COIN = 0.6, ALL_PAIRS = 0.99;
/** Share of the loss at the start that real pairs, held out, do not get below. */
const FLAWLESS = 0.05;
/** The chosen side of pairs that fall together, in nats. */
const CHOSEN_LOST = -1;
/** Columns of scores that nothing else is known of: "train acc", "aime24(avg@32)". */
const SCORE = /\bacc(?:uracy)?\b|\bpass@?\d|\bavg@\d|\b(?:win|success|solve)[_ ]?rate\b/i;
/** A gradient that is more than what rounding leaves; a KL and shares that are no trouble of their own. */
const FAINT = 1e-4, FAR = 1, TIED = 0.8, CUT = 0.5;

/** First and last of values that rise, by `least` of their size and without losing most of it again; null of others. */
function risen(values: readonly number[], least: number, size: number): readonly [number, number] | null {
  const [first, last, best] = [values[0]!, values.at(-1)!, Math.max(...values)];
  return last > first + least * Math.max(Math.abs(first), size) && last - first >= LEFT * (best - first)
    ? [first, last]
    : null;
}

/** What was measured on what the run does not train on, and got better. */
export function heldOutGain(view: RunView): string | null {
  for (const { name, values } of taskScores(view)) {
    const found = values.length < EVALUATIONS ? null : risen(values, SCORE_GAIN, LEAST_SIZE);
    if (found === null) continue;
    const own = /held.?out/i.test(name) ? name : `held out, ${name}`;
    return `${own} goes from ${show(found[0])} to ${show(found[1])}`;
  }
  const table = view.claims.find(({ counts, subject, predicate, value }) =>
    counts && subject === "evaluation" && predicate === "rises" && value !== null
  );
  if (table !== undefined) return `line ${table.line} tells a score that rises: ${cutAtWord(table.text.trim(), 80)}`;
  const loss = view.evaluation("loss").filter(isNumber);
  if (loss.length < EVALUATIONS) return null;
  const [first, last, best] = [loss[0]!, loss.at(-1)!, Math.min(...loss)];
  return last < first - LOSS_GAIN * Math.abs(first) && first - last >= LEFT * (first - best)
    ? `the held-out loss goes from ${show(first)} to ${show(last)}`
    : null;
}

/** A held-out score that has not risen, and stands where it could: what rises in training serves no goal then. */
export function heldOutStill(view: RunView): string | null {
  for (const { name, values } of taskScores(view)) {
    const [first, last] = [values[0]!, values.at(-1)!];
    const isNearTop = (first > 1 ? first / 100 : first) > SCORE_NEAR_TOP;
    if (values.length < EVALUATIONS || last > first + SCORE_STILL * Math.abs(first) || isNearTop) continue;
    return `${name} goes from ${show(first)} to ${show(last)}, and nothing held out has risen`;
  }
  return null;
}

/** A reward that rises, of the run or of what its task wants. */
function rewardGain(view: RunView): string | null {
  const scored = [...view.columns.keys()].filter((name) => SCORE.test(name));
  const columns = ["reward", ...goalsOf(view).map(({ column }) => column), ...scored];
  for (const name of columns) {
    const values = view.finite(name), found = values.length < COURSE ? null : risen(values, REWARD_GAIN, 1);
    if (found !== null) return `${name} goes from ${show(found[0])} to ${show(found[1])}`;
  }
  return null;
}

/** Pairs that are told apart: where these begin is known, so that one number tells how far they have come. */
function pairsLearned(view: RunView): string | null {
  const last = (name: string) => view.finite(name).at(-1), { accuracy, isHeldOut } = orderedPairs(view);
  const margins = view.finite("reward_margin"), loss = last("loss"), start = startLoss(view);
  if (knowsByHeart(view) || (last("chosen_reward") ?? 0) < CHOSEN_LOST) return null;
  const isOrdered = margins.length > 0 ? margins.at(-1)! > 0 : loss !== undefined && loss < FALLEN * start;
  if (accuracy !== undefined && (isHeldOut || isOrdered)) {
    return accuracy < ABOVE_COIN || accuracy > 1
      ? null
      : `${show(100 * accuracy)} % of the ${isHeldOut ? "held-out " : ""}pairs are in order, of a coin 50 %`;
  }
  const isWider = margins.length >= COURSE && margins.at(-1)! > Math.max(0, ...margins.slice(0, -1));
  return isWider && loss !== undefined && loss < FALLEN * start
    ? `the margin goes from ${show(margins[0])} to ${show(margins.at(-1))} and the loss to ${show(loss)}, below ${
      show(start)
    } at the start`
    : null;
}

/** The share of pairs in order, of those held out where it is printed. */
function orderedPairs(view: RunView) {
  const heldOut = ["preference_accuracy", "accuracy", "reward.accuracy"].flatMap((name) =>
    view.evaluation(name).filter(isNumber)
  ).at(-1);
  const trained = ["preference_accuracy", "reward.accuracy"].flatMap((name) => view.finite(name).at(-1) ?? [])[0];
  return { accuracy: heldOut ?? trained, isHeldOut: heldOut !== undefined };
}

/** Pairs of which all are in order, or whose loss is next to nothing, and none is held out: learned or remembered. */
export function knowsByHeart(view: RunView): boolean {
  const { accuracy, isHeldOut } = orderedPairs(view), loss = view.finite("loss").at(-1);
  if (!isOnPairs(view) || isHeldOut || view.evaluated.length > 0) return false;
  return (accuracy ?? 1) >= ALL_PAIRS && loss !== undefined && loss < NEXT_TO_NOTHING * startLoss(view);
}

/** Held-out pairs that are told apart without a flaw: so few, or so unlike, that nothing tells what was learned. */
export function isFlawless(view: RunView): boolean {
  const { accuracy, isHeldOut } = orderedPairs(view), heldOut = view.evaluation("loss").filter(isNumber).at(-1);
  if (!isOnPairs(view) || heldOut === undefined) return false;
  return (isHeldOut || accuracy !== undefined) && accuracy! >= ALL_PAIRS && heldOut < FLAWLESS * startLoss(view);
}

const isOnPairs = ({ algorithm }: RunView) => ["dpo", "kto", "reward_model"].includes(algorithm ?? "");

/** A loss that falls on rows that are new to the run: those of its first epoch. */
function firstEpoch(view: RunView): string | null {
  if (isReinforcement(view)) return null;
  const loss = view.finite("loss"), epoch = view.finite("epoch").at(-1);
  if (loss.length < COURSE || epoch === undefined || epoch > 1) return null;
  const third = Math.max(1, Math.floor(loss.length / 3));
  const [from, to] = [median(loss.slice(0, third)), median(loss.slice(-third))];
  return to < FALLEN * from && to > NEXT_TO_NOTHING * from
    ? `the loss falls from ${show(from)} to ${show(to)} within the first epoch`
    : null;
}

/** What people ask about that a run on rewards prints although it learns. */
const ASKED: readonly Saying[] = [
  ...each(["loss", "policy_loss"], ["zero", "negative", "rises", "constant", "noisy", "low"]),
  ...each(["clip_fraction"], ["zero", "constant", "low", "falls"]),
  ...each(["ratio"], ["constant", "identical"]),
  "kl.zero",
];
/** True of a statement on what a run on rewards prints although it learns: one that explained() answers. */
export const isAsked = ({ subject, predicate }: { readonly subject: string; readonly predicate: string }) =>
  ASKED.includes(`${subject}.${predicate}` as Saying);

/** A record on which something is learned from: groups with spread, a reward off its floor, a gradient, nothing that is cut. */
function liveRecord(view: RunView): number {
  const cell = (name: string, record: number) => view.column(name)[record] ?? null;
  return view.trainSteps.findIndex((_, record) => {
    const [gradient, reward, kl] = ["grad_norm", "reward", "kl"].map((name) => cell(name, record));
    const spreads = ["group_reward_std", "reward_std"].map((name) => cell(name, record)).filter(isNumber);
    const tied = cell("zero_spread_fraction", record), cut = cell("truncated_fraction", record);
    return isNumber(gradient) && gradient > FAINT && isNumber(reward) && reward !== 0 &&
      (spreads.some((value) => value > 0) || isNumber(tied)) && (tied ?? 0) < TIED && (cut ?? 0) < CUT &&
      (kl ?? 0) < FAR;
  });
}

/** What is asked about, and the numbers beside it that show why it is normal. */
export function explained(view: RunView): string | null {
  const isOnRewards = view.isPost && isReinforcement(view);
  const asked = claimed(view, ASKED)[0], at = isOnRewards ? liveRecord(view) : -1;
  if (asked === undefined || at < 0) return null;
  const shown = ["grad_norm", "reward", "group_reward_std", "reward_std", "kl"].filter((name) =>
    isNumber(view.column(name)[at])
  );
  return `line ${asked.line} asks of ${
    asked.subject.replaceAll("_", " ")
  } ${asked.predicate}, as healthy runs have it: ${
    shown.map((name) => `${name} ${show(view.column(name)[at])}`).join(", ")
  }`;
}

/** A part of the reward that was never paid, on however few records. */
export function neverPaid(view: RunView): string | null {
  const part = rewardFunctions(view).find(({ kind, values }) =>
    kind !== "shape" && values.length > 1 && values.every((value) => value === 0)
  );
  return part === undefined ? null : `${part.name} is 0 ${onAll(view, part.values.length)}`;
}

/** What got better over the run, one line each: with it nothing stays possible by which nothing is learned. */
export function gains(view: RunView): readonly string[] {
  return view.memo("gains", () => {
    if (!view.isPost || isFlawless(view)) return [];
    const shown = isReinforcement(view)
      ? [heldOutGain(view), rewardGain(view)]
      : [heldOutGain(view), isOnPairs(view) ? pairsLearned(view) : firstEpoch(view)];
    return shown.filter((one) => one !== null);
  });
}

/** What proves that the run learns, one line each; nothing where a post proves nothing. */
export function shownHealth(view: RunView): readonly string[] {
  return [...gains(view), ...[explained(view)].filter((one) => one !== null)];
}

/** What would prove it, by what is trained on. */
export function wantedProof(view: RunView): string {
  if (isReinforcement(view)) return "the reward over the run, and a held-out score before and after";
  return isOnPairs(view)
    ? "the share of held-out pairs in order, and the margin"
    : "the loss on held-out rows over the run";
}
