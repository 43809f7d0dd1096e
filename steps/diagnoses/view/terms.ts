/** What a run wants and what it is paid for, each with its trend from the first quarter to the last. @module */
import { errorOf } from "./course.ts";
import { change, ends } from "./numbers.ts";
import { type Signal, truths } from "./progress.ts";
import { rewardFunctions } from "./rewards.ts";
import type { RunView } from "./run_view.ts";
import { differenceError, wanderOf } from "./wander.ts";

const LEAST_ERROR = 1e-9; // Standard error of values that do not scatter.

interface Trend {
  readonly name: string;
  readonly column: string;
  readonly from: number;
  readonly to: number;
  readonly by: number;
  readonly sigma: number;
  /** The held-out score that it is of; absent of what training prints. */
  readonly heldOut?: Signal;
}

export function trend(name: string, column: string, values: readonly number[]): Trend {
  const { from, to, by, error } = change(values), { first, last } = ends(values);
  // Quarters scatter by what they have in common as well.
  const wandering = differenceError(
    wanderOf(values),
    first.length,
    last.length,
    values.length - first.length - last.length,
  );
  return { name, column, from, to, by, sigma: by / Math.max(error, wandering, LEAST_ERROR) };
}

/** A few evaluations have no quarters that scatter: their noise is that of their course. */
function heldOutTrend(signal: Signal): Trend {
  const { name, course } = signal, { start: from, end: to } = course, by = to - from;
  return {
    name,
    column: course.column,
    from,
    to,
    by,
    sigma: by / Math.max(errorOf(course), LEAST_ERROR),
    heldOut: signal,
  };
}

/** What the run wants and what it is paid for, with their trends. */
export interface Terms {
  readonly goals: readonly Trend[];
  readonly proxies: readonly Trend[];
  /** Records of the longest of them. */
  readonly records: number;
}

/** Goals and proxies of a run that prints them. */
export function termsOf(view: RunView): Terms {
  const functions = rewardFunctions(view).filter((entry) => entry.values.length >= 2);
  const trends = (isGoal: boolean) =>
    functions.filter((entry) => (entry.kind === "goal") === isGoal)
      .map((entry) => trend(entry.name, entry.column, entry.values));
  const goals = trends(true), proxies = trends(false);
  const accuracy = view.finite("accuracy"), reward = view.finite("reward");
  if (!view.imported && accuracy.length >= 2) {
    // What the task's verifier says is the goal; a reward is one of ours only by its name.
    const right = view.column("accuracy");
    proxies.push(
      ...goals.splice(0).filter(({ column }) => view.column(column).some((value, at) => value !== right[at])),
    );
  }
  if (goals.length === 0 && accuracy.length >= 2) goals.push(trend("accuracy", "accuracy", accuracy));
  const named = goals.filter((goal) => /acc|correct|exact|answer|solve|iou/i.test(goal.name));
  if (named.length > 0 && named.length < goals.length) {
    proxies.push(...goals.filter((goal) => !named.includes(goal)));
    goals.splice(0, goals.length, ...named);
  }
  if (reward.length >= 2) proxies.push(trend("reward", "reward", reward));
  const held = truths(view).find(({ kind, isPaid }) => kind === "held out" && !isPaid);
  if (held !== undefined) goals.push(heldOutTrend(held));
  return { goals, proxies, records: Math.max(0, ...functions.map((entry) => entry.values.length), reward.length) };
}
