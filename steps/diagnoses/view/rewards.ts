/**
 * The reward functions of a run and where their values lie: at the floor, at the maximum, constant, or moving.
 *
 * A constant 0 or a negative whole number is a floor; 1 and the sum of the weights are maxima (CAUSES.md).
 * @module
 */
import { NO_SPREAD } from "../../../data/statistics/mod.ts";
import { type Cells, finiteOf, isNumber, mean, ROUNDING, TELLING_COMPLETIONS } from "./numbers.ts";
import { setting } from "./settings.ts";
import { ALL, flatGroupShare, spreadOf } from "./spread.ts";
import type { RunView } from "./run_view.ts";

/** From here groups of eight tie in more than a quarter of the cases because they are right. */
export const NEARLY_SOLVED = 0.85;
const ONE_VALUE = 1e-7; // Float32 keeps seven digits: what differs by less is one value.
const PRINTED = 1e-4; // Rewards are printed with four decimals.
/** Records over which a run counts as nearly solved, and the most that an accuracy can be, with rounding. */
const RECENT = 10, WHOLE = 1.001;
const MOSTLY = 0.8; // Share of records at the floor that makes a run one of them.

/** goal: what the task wants; format: tags and structure; shape: length, repetition and other proxies. */
type RewardKind = "goal" | "format" | "shape";

interface RewardFunction {
  readonly name: string;
  readonly column: string;
  readonly kind: RewardKind;
  readonly cells: Cells;
  readonly values: readonly number[];
  /** The one value of every record, all samples alike as far as the log shows; null if it moves. */
  readonly constant: number | null;
}

const FORMAT = /format|tag|xml|structure|template|boxed_present/i;
const GOAL =
  /acc|correct|exact|match|verif|answer|solution|iou|giou|math|gsm|idx|recall|f1|fbeta|solve|success|pass|label|test/i;
const SHAPE =
  /length|len_|_len|repet|penalt|overlong|cosine|language|step|evidence|keyword|bonus|conf|style|count|tool|turn|diversity|hint|brev|short|concis|verbos/i;

/** Words of what is bad, or of help that was taken: more of it is no goal, whatever it is about. */
const BAD =
  /(?:^|_)(?:fail(?:s|ed|ures?)?|wrong|incorrect(?:ness)?|inexact|mistakes?|errors?|violations?|invalid|mismatch(?:es)?|cheat(?:s|ing)?|hack(?:s|ing)?|hints?)(?:_|$)/;
/** Names with such a word that are of what is good: none of it, what passes at last, the share that is told right. */
const GOOD =
  /(?:^|_)(?:no|non|not|without|avoids?|free|fix(?:ed)?|pass(?:ed)?)(?:_|$)|(?:^|_)(?:acc|accuracy|exact_match|f1)(?:_reward)?(?:_(?:func|fn|function))?$/;

/** True if a function is named for what is bad. */
function isBad(name: string): boolean {
  const words = name.replace(/([a-z])(?=[A-Z])/g, "$1_").toLowerCase().replace(/[^a-z0-9]+/g, "_");
  return BAD.test(words) && !GOOD.test(words);
}

/** What a reward function is for, by its name alone. */
export function kindOf(name: string): RewardKind {
  if (FORMAT.test(name)) return "format";
  if (isBad(name)) return "shape";
  if (GOAL.test(name) && !/penalt|length/i.test(name)) return "goal";
  return SHAPE.test(name) ? "shape" : "goal";
}

/** Where some functions name a goal outright, those with names that say nothing are no goals. */
function settle(list: RewardFunction[]): RewardFunction[] {
  const named = list.some((entry) => entry.kind === "goal" && GOAL.test(entry.name));
  return named
    ? list.map((entry) => entry.kind === "goal" && !GOAL.test(entry.name) ? { ...entry, kind: "shape" } : entry)
    : list;
}

/** True if all values are equal to the digits printed. */
export function constantOf(values: readonly number[]): number | null {
  const first = values[0];
  if (first === undefined) return null;
  const tolerance = ONE_VALUE * Math.max(1, Math.abs(first));
  return values.every((value) => Math.abs(value - first) <= tolerance) ? first : null;
}

export function rewardFunctions(view: RunView): readonly RewardFunction[] {
  return view.memo("reward functions", () => {
    const list: RewardFunction[] = [];
    for (const [column, cells] of view.columns) {
      if (!column.startsWith("reward.")) continue;
      const name = column.slice("reward.".length);
      if (/^total(_reward)?$/.test(name)) continue;
      const values = finiteOf(cells);
      if (values.length === 0) continue;
      const spread = view.finite(`reward_std.${name}`);
      const still = spread.every((value) => value <= ONE_VALUE);
      list.push({ name, column, kind: kindOf(name), cells, values, constant: still ? constantOf(values) : null });
    }
    const format = view.column("format");
    if (!list.some((entry) => entry.kind === "format") && view.has("format")) {
      const values = finiteOf(format);
      list.push({
        name: "format",
        column: "format",
        kind: "format",
        cells: format,
        values,
        constant: constantOf(values),
      });
    }
    return settle(list);
  });
}

/** Those that say what the task wants. */
export function goalsOf(view: RunView): readonly RewardFunction[] {
  return rewardFunctions(view).filter((entry) => entry.kind === "goal");
}

/** Weights of the reward functions as configured, or null. */
function weights(view: RunView): number[] | null {
  let value = setting(view, "reward_weights")?.value;
  if (typeof value === "string") value = value.split(/[\s,[\]]+/).filter((part) => part !== "").map(Number);
  return Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === "number") ? value : null;
}

type Level = "floor" | "maximum" | "between";

/** Where a total reward lies on the scale of a run. */
export function levelOf(view: RunView, reward: number): Level {
  const near = (target: number) => Math.abs(reward - target) <= PRINTED * Math.max(1, Math.abs(target));
  const functions = rewardFunctions(view);
  const goals = goalsOf(view);
  if (near(0) || (reward < 0 && Math.abs(reward - Math.round(reward)) <= PRINTED)) return "floor";
  const sum = weights(view)?.reduce((total, weight) => total + weight, 0) ?? null;
  if (near(1) && functions.length <= 1) return "maximum";
  if (sum !== null && near(sum)) return "maximum";
  if (functions.length > 1 && sum === null && near(functions.length)) return "maximum";
  const last = (entry: RewardFunction) => entry.values.at(-1)!;
  if (goals.length > 0 && goals.every((entry) => Math.abs(last(entry) - 1) <= PRINTED)) return "maximum";
  if (goals.length > 0 && goals.every((entry) => Math.abs(last(entry)) <= ROUNDING) && reward <= 0) return "floor";
  if (functions.length === 0 && (near(1) || near(2))) return "maximum";
  return "between";
}

export interface Flatness {
  /** Records with a reward in which every group is flat. */
  readonly records: readonly number[];
  /** Share of the records with a reward that are so. */
  readonly share: number;
  /** The constant reward, or null if the flat records differ in their reward. */
  readonly constant: number | null;
  /** The level of the mean reward of the flat records. */
  readonly level: Level;
  /** Records with a reward. */
  readonly rewarded: number;
  /** Mean reward over the flat records. */
  readonly reward: number;
}

/** The flat part of a run: records whose groups have no reward spread. Null if there is none. */
export function flatness(view: RunView): Flatness | null {
  return view.memo("flatness", () => {
    const reward = view.column("reward");
    const { flat } = spreadOf(view);
    const rewarded: number[] = [];
    reward.forEach((value, record) => {
      if (isNumber(value)) rewarded.push(record);
    });
    const records = rewarded.filter((record) => flat[record] === true);
    if (records.length > 0) {
      const values = records.map((record) => reward[record]!);
      const centre = mean(values);
      // Groups that are flat at different levels give a mean that is no completion's reward.
      const constant = records.some((record) => differs(view, record)) ? null : constantOf(values);
      const levels = new Set(values.map((value) => levelOf(view, value)));
      const level = levels.size === 1 ? [...levels][0]! : "between";
      return {
        records,
        share: records.length / rewarded.length,
        constant,
        level,
        rewarded: rewarded.length,
        reward: centre,
      };
    }
    if (rewarded.length > 0 || view.completions.length < TELLING_COMPLETIONS) return null;
    const share = flatGroupShare(view);
    if (share === null || share < ALL) return null;
    const values = view.completions.map((row) => row.reward).filter(isNumber);
    const constant = constantOf(values);
    const level = constant === null ? "between" : levelOf(view, constant);
    return { records: [], share: 1, constant, level, rewarded: 0, reward: mean(values) };
  });
}

/** True if a record prints a deviation of rewards over its batch that is no rounding. */
function differs(view: RunView, record: number): boolean {
  const deviation = view.column("reward_std")[record];
  return isNumber(deviation) &&
    deviation > NO_SPREAD.printed * Math.max(1, Math.abs(view.column("reward")[record] ?? 0));
}

/** True if the goal is nearly reached at the end: ties, low entropy and distance from the reference are then no fault. */
export function nearlySolved(view: RunView): boolean {
  return view.memo("nearly solved", () => {
    const accuracy = view.finite("accuracy");
    const goals = rewardFunctions(view).filter((entry) => entry.kind === "goal" && GOAL.test(entry.name));
    const shown = accuracy.length > 0 ? accuracy : goals[0]?.values ?? [];
    const level = mean(shown.slice(-RECENT));
    return shown.length > 0 && level >= NEARLY_SOLVED && level <= WHOLE;
  });
}

/** Share of records with a reward at the floor. */
export function floorShare(view: RunView): number {
  const records = view.finite("reward");
  const values = records.length > 0 ? records : view.completions.map((row) => row.reward).filter(isNumber);
  return values.length === 0 ? 0 : values.filter((value) => levelOf(view, value) === "floor").length / values.length;
}

/** True if most of them are. */
export function isMostlyFloor(view: RunView): boolean {
  return floorShare(view) > MOSTLY;
}
