/**
 * What a run is for, and whether it gets any nearer to it: the consequence that makes a trend a fault.
 *
 * The truth is what no reward pays for or what the task itself wants: held-out scores before the accuracy, before a reward
 * function that names the goal. What is paid is the total reward.
 * @module
 */
import { type Course, course, courseOf, errorOf, extreme, isConfirmed, levelOver } from "./course.ts";
import type { Evidence } from "./evidence.ts";
import { ofNeighbours } from "./falls.ts";
import { type Cells, finiteOf, median, show } from "./numbers.ts";
import { goalsOf, rewardFunctions } from "./rewards.ts";
import type { RunView } from "./run_view.ts";
import type { ScoreSeries } from "./score_series.ts";
import { scoreEvidence, taskScores } from "./scores.ts";
import { withoutStep } from "./wander.ts";
import { columnName, scoreName } from "./words.ts";

/** Evaluations that have a course of their own. */
const EVALUATIONS = 5;
/** Height on its scale from which a run is solved; share of the largest reward of a batch that the mean then reaches. */
export const NEAR_TOP = 0.9;
const OF_LARGEST = 0.95;
/** Height from which a score that does not fall is what has been learned, and standing still no fault. */
export const MOSTLY_SOLVED = 0.8;
const SOME = 2; // Levels that are where a score was before.
/** Standard errors of a change, and share of what the run has spanned, below which it is none. */
const SURE = 2, SPAN = 0.1;
/** Above the one a score is no sum of points of a few reward functions; up to the other it may be percent. */
const POINTS = 10, PERCENT = 100;
const FINE = 1e-6; // What rounding leaves beyond a whole number.
const LESS = 2 / 3; // Share of the mistakes that is left.
/** Share of the scale below which a change is none, however sure. */
const NOTHING = 0.01;

/** One thing that should rise. */
export interface Signal {
  readonly name: string;
  readonly kind: "held out" | "goal" | "reward";
  /** It is the sum that is paid, whatever the run is for. */
  readonly isPaid: boolean;
  readonly course: Course;
  /** Train steps of the records of its course. */
  readonly trainSteps: readonly number[];
  readonly evidence: (record: number) => Evidence;
}

type Direction = "rises" | "flat" | "falls" | "open";

/** What a signal has done since a train step. */
interface Since {
  readonly from: number;
  readonly to: number;
  readonly by: number;
  readonly direction: Direction;
  /** Of a share near 1: a third of what was still wrong is right. */
  readonly halves: boolean;
}

/** Held-out scores and goals, best witness first; none where only a total reward is printed. */
export function truths(view: RunView): readonly Signal[] {
  return view.memo("truths", () => {
    const held = heldOut(view), named = goals(view);
    // A held-out reward is the sum that is paid: what the goal alone says comes before it.
    return [...held.filter(({ isPaid }) => !isPaid), ...named, ...held.filter(({ isPaid }) => isPaid)];
  });
}

/** The total reward. */
export function paid(view: RunView): Signal | null {
  return view.memo("paid", () => onRecords(view, "reward", "reward", "the reward"));
}

/** What the run is judged by: the truth, else what is paid on held-out prompts, else the reward. */
export function aims(view: RunView): readonly Signal[] {
  const reward = paid(view), all = truths(view), pure = all.filter(({ isPaid }) => !isPaid);
  return pure.length > 0 ? pure : all.length > 0 ? all : reward === null ? [] : [reward];
}

/**
 * The same, and the reward since a train step where only held-out scores judge and none of them rises: one that is flat,
 * noise alone, or the same value all along tells of no fall.
 */
export function witnesses(view: RunView, trainStep: number, signals = aims(view)): readonly Signal[] {
  const reward = paid(view), tell = signals.some((signal) => signal.kind !== "held out" || rises(signal, trainStep));
  return tell || reward === null ? signals : [...signals, reward];
}

const rises = (signal: Signal, trainStep: number) => since(signal, trainStep).direction === "rises";

function onRecords(view: RunView, column: string, kind: Signal["kind"], name: string): Signal | null {
  const found = courseOf(view, column);
  return found && {
    name,
    kind,
    isPaid: kind === "reward",
    course: found,
    trainSteps: view.trainSteps,
    evidence: (record) => view.evidence(column, record),
  };
}

function goals(view: RunView): Signal[] {
  const functions = rewardFunctions(view);
  // One function alone is the total reward by another name.
  const named = functions.filter(({ kind }) => kind === "goal");
  const columns = [
    ...(view.has("accuracy") ? ["accuracy"] : []),
    ...(functions.length > 1 && named.length < functions.length ? named.map(({ column }) => column) : []),
  ];
  return columns.flatMap((column) => onRecords(view, column, "goal", columnName(column)) ?? []);
}

const heldOut = (view: RunView): Signal[] => taskScores(view).flatMap((series) => scoreSignal(series) ?? []);

/** A series of evaluations as a signal; null below five of them. */
export function scoreSignal(series: ScoreSeries): Signal | null {
  const found = scoreCourse(series.name, series.values);
  return found && {
    name: scoreName(series),
    kind: "held out",
    course: found,
    trainSteps: series.trainSteps,
    isPaid: /^(?:.*\/)?reward$/.test(series.column ?? ""),
    evidence: (record) => scoreEvidence(series, record),
  };
}

function scoreCourse(name: string, values: Cells): Course | null {
  return finiteOf(values).length < EVALUATIONS ? null : course(name, values, 1);
}

/** How a signal went from a train step to the end. */
export function since(signal: Signal, trainStep: number): Since {
  const { course, trainSteps } = signal, { levels, width } = course;
  const found = levels.findIndex(({ to }) => trainSteps[to]! >= trainStep);
  const at = Math.min(found < 0 ? levels.length - 1 : found, levels.length - 1);
  const before = Math.max(0, Math.min(at, levels.length - width));
  const then = levelOver(levels, Math.max(0, before - 1), Math.min(levels.length, before + width - 1));
  // A score that falls with the trend and comes back has gained nothing.
  return sinceLevel(
    signal,
    before < SOME ? then : Math.max(then, levelOver(levels, Math.max(0, before - width), before)),
  );
}

/** How a signal went from a level that it had to the end. */
export function sinceLevel(signal: Signal, from: number): Since {
  const { course } = signal, by = course.end - from;
  const direction = directionOf(course, by),
    isDoubtful = direction === "falls" && !isConfirmed(course, from) ||
      direction === "rises" && by <= chanceOf(course);
  return {
    from,
    to: course.end,
    by,
    direction: signal.kind === "held out" && isDoubtful ? "open" : direction,
    halves: halves(course, from),
  };
}

/**
 * How far a few evaluations rise by chance: what neighbours scatter by, but for the one step that explains most of them, since a
 * median of three second differences is next to nothing now and then, by a quantile of Student's t (Cornish and Fisher 1937).
 */
function chanceOf({ levels, width, noise }: Course): number {
  const scatter = Math.sqrt(ofNeighbours(withoutStep(levels.map(({ value }) => value))));
  const quantile = SURE * (1 + (SURE ** 2 + 1) / 4 / (levels.length - 2));
  return quantile * Math.max(noise, scatter) * Math.sqrt(1 / (width - 1) + 1 / width);
}

/** Where on its scale a course ends: 0 at the floor (0, or a whole number below), 1 at the top (1, or the most seen). */
export function heightOf(course: Course): number {
  const [floor, top] = scaleOf(course);
  return (course.end - floor) / (top - floor);
}

/** From the floor of its scale to the top. */
export function heightSpan(course: Course): number {
  const [floor, top] = scaleOf(course);
  return top - floor;
}

/** The goal, else the reward, ends near the top of its scale. */
export function endsAtTop(view: RunView): boolean {
  const columns = [...(view.has("accuracy") ? ["accuracy"] : []), ...goalsOf(view).map(({ column }) => column)];
  const courses = (columns.length > 0 ? columns : ["reward"]).flatMap((name) => courseOf(view, name) ?? []);
  const most = view.finite("reward_max"), top = most.length === 0 ? null : median(most);
  return courses.length > 0 && courses.every((course) => {
    // The largest reward of a batch is the top where all else of the scale is not known.
    const isTop = course.column === "reward" && top !== null && top > 0 && course.end >= OF_LARGEST * top;
    return heightOf(course) >= NEAR_TOP || isTop;
  });
}

function scaleOf({ levels }: Course): readonly [floor: number, top: number] {
  const values = levels.map(({ value }) => value), low = Math.min(0, ...values), high = Math.max(...values);
  return [low < 0 ? -Math.ceil(-low - FINE) : 0, topOf([high])];
}

/** A top that is not known: the next whole number, since a level that never moved is no top; 100 of what may be percent. */
export function topOf(values: readonly number[]): number {
  const high = Math.max(...values);
  return high > POINTS && high <= PERCENT ? PERCENT : Math.max(1, Math.ceil(high * (1 - FINE)));
}

/** A share near 1 rises by what is still wrong: a third of it less, beyond chance, is a rise that its span hides. */
function halves(course: Course, from: number): boolean {
  const isShare = course.values.every((value) => value >= 0 && value <= 1);
  return isShare && from > 0.5 && 1 - course.end <= LESS * (1 - from) && course.end - from > SURE * errorOf(course);
}

/**
 * Whether a change between two levels of a course is one. Flat is what is shown to be: with its standard error the change
 * lies within a small share of what the run has spanned; else it is open.
 */
export function directionOf(course: Course, by: number): Direction {
  const span = spanOf(course), error = course.noise * Math.sqrt(2 / course.width);
  const scale = Math.max(...course.levels.map(({ value }) => Math.abs(value)));
  if (Math.abs(by) > Math.max(SURE * error, SPAN * span, NOTHING * scale)) return by > 0 ? "rises" : "falls";
  return by + errorOf(course) <= Math.max(SPAN * span, NOTHING * scale) ? "flat" : "open";
}

/** From the lowest to the highest level. */
export function spanOf(course: Course): number {
  return extreme(course).value - extreme(course, -1).value;
}

/** What the run is judged by, since a train step. */
export interface Gain {
  /** The best witness that shows it. */
  readonly signal: Signal;
  readonly since: Since;
  /** None of them rises: held-out scores and goals, or the reward where there is no other. */
  readonly still: boolean;
  /** The same, were mistakes that become fewer no rise. */
  readonly level: boolean;
  /** One of them falls, or the reward does beside held-out scores that do not tell. */
  readonly falls: boolean;
}

/** Null where nothing says what the run is for. */
export function gainSince(view: RunView, trainStep: number, signals = aims(view)): Gain | null {
  const sinceThen = (signal: Signal) => ({ signal, since: since(signal, trainStep) });
  const all = signals.map(sinceThen);
  const fallen = witnesses(view, trainStep, signals).map(sinceThen).find(({ since }) => since.direction === "falls");
  const shown = fallen ?? all[0];
  if (shown === undefined) return null;
  return {
    ...shown,
    still: all.every(({ since }) => since.direction !== "rises" && !since.halves),
    level: all.every(({ since }) => since.direction !== "rises"),
    falls: fallen !== undefined,
  };
}

/** "the held-out score fell from about 0.43 to 0.27", or that it did not rise; levels are means of a stretch, which stand in no row. */
export function gainText({ signal, since }: Pick<Gain, "signal" | "since">): string {
  const [from, to] = [show(since.from), show(since.to)];
  if (since.direction === "falls") return `${signal.name} fell from about ${from} to ${to}`;
  if (since.direction === "rises") return `${signal.name} went from about ${from} to ${to}`;
  return from === to ? `${signal.name} stayed at about ${to}` : `${signal.name} did not rise (about ${from} to ${to})`;
}

/** The rows that show it: at the train step and at the end. */
export function gainEvidence({ signal }: Pick<Gain, "signal">, trainStep: number): Evidence[] {
  const { records } = signal.course, last = records.at(-1)!;
  const at = records.find((record) => signal.trainSteps[record]! >= trainStep) ?? last;
  return [...new Set([at, last])].map((record) => signal.evidence(record));
}
