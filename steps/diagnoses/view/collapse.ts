/** Where a run has lost what it could do: the fall of its held-out score, its accuracy or its reward. @module */
import type { Evidence } from "./evidence.ts";
import {
  beginsAt,
  biggestFall,
  type Fall,
  fallBeside,
  isBeyondChance,
  neighbourVariance,
  ofNeighbours,
  scatterVariance,
  shareVariance,
  type Variance,
} from "./falls.ts";
import { isReinforcement } from "./groups.ts";
import { isNumber, mean, median, recordsOf } from "./numbers.ts";
import { scoreSignal, since } from "./progress.ts";
import { goalsOf } from "./rewards.ts";
import type { RunView } from "./run_view.ts";
import type { ScoreSeries } from "./score_series.ts";
import { scoreEvidence, taskScores } from "./scores.ts";
import { ownNumber } from "./settings.ts";
import { columnName, scoreName } from "./words.ts";

const OWN_RECORDS = 4; // Train steps of ours that make a level; more of them are asked to show that the reward holds.
const STILL_SOLVED = 0.9; // Share of the best held-out score at which nothing is lost.

const HALF = 0.5; // Less than this share of the best level left: more is gone than is left.
/** Below this share of the best level the run is clearly worse: prompts of train steps differ, held-out ones do not. */
export const WORSE = { heldOut: 0.85, training: 0.7 } as const;
/** Standard errors beyond which a fall is none of chance; a foreign log does not say how many prompts a value is of. */
export const SURE_FALL = { evaluations: 2, own: 3, imported: 4 } as const;
export const SLIGHT = 4; // The same where more than half is left.
/** One fall in a hundred is that far by chance: too much for a healthy run, too little for an alarm. */
const DOUBTFUL = 2.33;
/** Share of the run, and records, that make a level which is no batch but a state; standard errors of white noise by which it is left. */
const LEVEL = 1 / 8, LEVEL_RECORDS = 16, FAR_BEYOND = 8;
const FAR_OUT = 6; // Median distances from the median beyond which a value is no level.
const WITH_MEMORY = 24; // Evaluations that show whether what they scatter by has a memory: of fewer a fall looks like one.
const BESIDE = 4; // Neighbours on each side whose median a value is held against.
/** Records of a foreign log that make a level: every value of it is one batch. */
const IMPORTED_RECORDS = 16, IMPORTED_TAIL = 4;

interface Collapse {
  /** What fell. */
  readonly what: string;
  /** It is a score of held-out prompts. */
  readonly isHeldOut: boolean;
  /** Values are fractions. */
  readonly isShare: boolean;
  readonly best: number;
  readonly end: number;
  /** Share of the best level that is left, from 0. */
  readonly left: number;
  /** Train steps of the best level and of the end. */
  readonly from: number;
  readonly to: number;
  /** The last train step at which the best level still held: the fall begins behind it. */
  readonly begins: number;
  /** The first train step after the best one with less than half of it. */
  readonly lost: number;
  readonly evidence: readonly Evidence[];
  /** Beyond chance; otherwise more prompts would decide. */
  readonly isSure: boolean;
  /** Less than half is left, and no doubt about it. */
  readonly isTotal: boolean;
  /** Less than half is left, or a hundredth of such falls is chance. */
  readonly isOpen: boolean;
}

/** One thing that should not fall. */
interface Signal {
  readonly what: string;
  readonly isHeldOut: boolean;
  readonly values: readonly number[];
  readonly trainSteps: readonly number[];
  readonly variance: Variance;
  readonly tail: number;
  readonly sigma: number;
  readonly worse: number;
  /** Spread of single rewards, for a scale whose zero says nothing; null where values are shares or start at 0. */
  readonly spread: number | null;
  readonly evidence: (at: number) => Evidence;
}

/** Everything that has fallen beyond chance, held-out scores first. */
export function collapses(view: RunView): readonly Collapse[] {
  return view.memo("collapses", () => {
    const held = heldOutFalls(view).filter((fall) => fall.isSure);
    const training = isReinforcement(view) ? trainingSignals(view).flatMap((signal) => judge(signal) ?? []) : [];
    return [...held, ...training.filter((fall) => fall.isSure && (held.length > 0 || !isContradicted(view, fall)))];
  });
}

/** The first of them, else a held-out score of ours that fell by what may be chance; null if nothing fell. */
export function collapse(view: RunView): Collapse | null {
  const open = () => view.imported ? null : heldOutFalls(view).find(({ isOpen }) => isOpen) ?? null;
  return collapses(view)[0] ?? open();
}

function heldOutFalls(view: RunView): Collapse[] {
  return unlike(taskScores(view)).flatMap((series) => {
    const signal = heldOut(series, view.imported), fall = judge(signal);
    const isShort = series.prompts === null && series.values.length < WITH_MEMORY;
    if (fall?.isSure || !isShort || fallBeside(series.values) === null) return fall ?? [];
    return judge({ ...signal, variance: scatterVariance(series.values) }) ?? [];
  });
}

/** Each score once: the sum of what is paid, where one function is all of it, goes by that function's name, as elsewhere. */
function unlike(series: readonly ScoreSeries[]): ScoreSeries[] {
  const keys = series.map(({ trainSteps, values }) => JSON.stringify([trainSteps, values]));
  return series.filter((_, at) => keys.lastIndexOf(keys[at]!) === at);
}

function judge(signal: Signal): Collapse | null {
  const total = signal.isHeldOut ? null : totalFall(signal.values);
  const fall = total ?? biggestFall(signal.values, signal.variance, signal.tail);
  if (fall === null) return null;
  const left = shareLeft(total === null ? signal : { ...signal, spread: null }, fall);
  if (left >= signal.worse) return null;
  const last = signal.values.length - 1;
  const gone = signal.values.findIndex((value, at) => at > fall.bestAt && value < HALF * fall.best);
  const half = left < HALF;
  return {
    what: signal.what,
    isHeldOut: signal.isHeldOut,
    isShare: signal.values.every((value) => value >= 0 && value <= 1),
    best: fall.best,
    end: fall.end,
    left,
    from: signal.trainSteps[fall.bestAt]!,
    to: signal.trainSteps[last]!,
    begins: signal.trainSteps[beginsAt(signal.values, fall, signal.tail)]!,
    lost: signal.trainSteps[gone < 0 ? last : gone]!,
    evidence: [...new Set([fall.bestAt, gone < 0 ? last : gone, last])].map((at) => signal.evidence(at)),
    isSure: total !== null || isBeyondChance(fall, half ? signal.sigma : SLIGHT),
    isOpen: half || isBeyondChance(fall, DOUBTFUL),
    isTotal: half && (total !== null || isBeyondChance(fall, Math.max(signal.sigma, SURE_FALL.own))),
  };
}

/**
 * The fall of levels over an eighth of the run each, of which less than half is left: what goes so far and stays there is a
 * collapse whatever the memory of its noise, which a slow bend passes for. Null where there is none.
 */
function totalFall(values: readonly number[]): Fall | null {
  const width = Math.floor(LEVEL * values.length), count = values.length - width + 1;
  if (width < LEVEL_RECORDS) return null;
  const sums = [0];
  for (const value of values) sums.push(sums.at(-1)! + value);
  const levels = Array.from({ length: count }, (_, from) => (sums[from + width]! - sums[from]!) / width);
  const best = Math.max(...levels), end = levels.at(-1)!;
  const error = Math.sqrt(2 * ofNeighbours(values) / width), sigma = (best - end) / Math.max(error, Number.MIN_VALUE);
  const fall = { best, bestAt: levels.indexOf(best) + width - 1, end, sigma, compared: count };
  // A scale that goes below 0 by more than noise has another floor, and half of a level says nothing.
  const isFrom0 = best > 0 && Math.min(...levels) >= 0;
  return isFrom0 && end < HALF * best && isBeyondChance(fall, FAR_BEYOND) ? fall : null;
}

/** Of a reward that can be negative zero is no floor: there a fall by the spread of single rewards is all. */
function shareLeft({ spread }: Signal, { best, end }: Fall): number {
  if (spread !== null) return spread > 0 ? Math.max(0, 1 - (best - end) / (2 * spread)) : 1;
  return best > 0 ? Math.max(0, end / best) : 1;
}

function heldOut(series: ScoreSeries, imported: boolean): Signal {
  const { prompts, values, trainSteps } = series;
  return {
    what: scoreName(series),
    isHeldOut: true,
    values,
    trainSteps,
    variance: prompts !== null ? shareVariance(prompts) : neighbourVariance(values),
    tail: prompts === null ? 2 : 1,
    worse: WORSE.heldOut,
    sigma: imported ? SURE_FALL.imported : SURE_FALL.evaluations,
    spread: Math.min(...values) < 0 ? 0 : null,
    evidence: (at) => scoreEvidence(series, at),
  };
}

function trainingSignals(view: RunView): Signal[] {
  const goals = goalsOf(view).map((entry) => entry.column);
  const prompts = ownNumber(view, "prompts_per_step");
  const names = ["accuracy", ...(view.imported ? goals : []), ...(isAccuracy(view) ? [] : ["reward"])];
  return names.flatMap((name) => signalOf(view, name, prompts) ?? []);
}

/**
 * Values with those beyond many times the usual distance from the median of their neighbours brought to it: one absurd batch
 * is no level, and a level that lasts is no outlier, however far it lies from the others. Where most are that median itself
 * the usual distance is that of the others, and of fewer others than make a level none is usual.
 */
function withinReach(values: readonly number[]): number[] {
  const middles = values.map((_, at) => median(values.slice(Math.max(0, at - BESIDE), at + BESIDE + 1)));
  const all = values.map((value, at) => Math.abs(value - middles[at]!)), usual = median(all);
  const others = usual > 0 ? all : all.filter((distance) => distance > 0);
  const reach = others.length < IMPORTED_TAIL ? 0 : FAR_OUT * median(others);
  return values.map((value, at) => Math.max(middles[at]! - reach, Math.min(middles[at]! + reach, value)));
}

/** True if the reward is the accuracy: then one of them tells all. */
function isAccuracy(view: RunView): boolean {
  const [reward, accuracy] = [view.column("reward"), view.column("accuracy")];
  return accuracy.some(isNumber) && reward.every((value, record) => value === accuracy[record]);
}

function signalOf(view: RunView, name: string, prompts: number | null): Signal | null {
  const cells = view.column(name);
  const records = recordsOf(cells);
  const all = records.map((record) => cells[record]!);
  // Of a log the best level may be one absurd batch: what lies far outside the rest counts as its border.
  const values = prompts === null ? withinReach(all) : all;
  if (values.length < (prompts === null ? IMPORTED_RECORDS : OWN_RECORDS)) return null;
  const isShare = values.every((value) => value >= 0 && value <= 1);
  const spread = view.memo("usual spread", () => median(view.finite("reward_std").filter((value) => value > 0)));
  return {
    what: columnName(name),
    isHeldOut: false,
    values,
    trainSteps: view.stepsAt(records),
    variance: prompts === null
      ? neighbourVariance(values)
      : isShare
      ? shareVariance(prompts)
      : (_, count) => spread ** 2 / (prompts * count),
    tail: prompts === null ? IMPORTED_TAIL : 2,
    worse: WORSE.training,
    sigma: prompts === null ? SURE_FALL.imported : SURE_FALL.own,
    spread: Math.min(...values) < 0 ? (Number.isFinite(spread) ? spread : 0) : null,
    evidence: (at) => view.evidence(name, records[at]!),
  };
}

/**
 * First and last level of a reward that does not fall with the rest: it has risen beyond chance, or it is not the accuracy
 * and no lower than it was. Null in a foreign log.
 */
export function rewardHolds(view: RunView): { readonly from: number; readonly to: number } | null {
  const signal = view.imported ? null : signalOf(view, "reward", ownNumber(view, "prompts_per_step"));
  if (signal === null) return null;
  const { values, variance } = signal;
  const count = Math.min(OWN_RECORDS, values.length >> 1);
  const [from, to] = [mean(values.slice(0, count)), mean(values.slice(-count))];
  const isOther = view.column("accuracy").some(isNumber) && !isAccuracy(view);
  const rises = to - from > SURE_FALL.own * Math.sqrt(2 * variance((from + to) / 2, count, values.length - 2 * count));
  return rises || isOther && to >= from ? { from, to } : null;
}

/** Prompts differ from train step to train step; held-out ones are the same: if those are still solved, nothing is lost. */
function isContradicted(view: RunView, fall: Collapse): boolean {
  return taskScores(view).some((series) => {
    const { trainSteps, values } = series, at = values.length - 1, best = Math.max(...values.slice(0, at));
    return at > 0 && trainSteps[at]! >= fall.to && values[at]! >= STILL_SOLVED * best && wouldTell(series, fall, best);
  });
}

/** A score that would show such a fall: of so many prompts that it is beyond chance; of a log one that has risen over the run. */
function wouldTell(series: ScoreSeries, { left }: Collapse, best: number): boolean {
  const { prompts, trainSteps } = series, signal = scoreSignal(series);
  if (prompts === null) return signal !== null && since(signal, trainSteps[0]!).direction === "rises";
  const middle = best * (1 + left) / 2;
  return best * (1 - left) > SURE_FALL.own * Math.sqrt(2 * shareVariance(prompts)(middle, 1));
}
