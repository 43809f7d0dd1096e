/** What a trial of `bench models` yields: numbers with their units and goals. @module */

export interface Figure {
  readonly what: string;
  /** Null where it was not measured; `note` says why. */
  readonly value: number | null;
  readonly unit: string;
  /** The goal, if there is one. */
  readonly least?: number;
  readonly most?: number;
  /** What a number cannot say. */
  readonly note?: string;
}

/** What a trial is given: the model folder, and how many threads may compute. */
export interface TrialContext {
  readonly folder: string;
  readonly threads: number;
}

/** A part of the benchmark: its trials, each of which runs in a process of its own. */
export interface Part {
  readonly about: string;
  readonly trials: Readonly<Record<string, (context: TrialContext) => Promise<Figure[]>>>;
}

/** Whether the goal is met; null where there is none, or nothing was measured. What is no number meets none. */
export function met({ value, least, most }: Figure): boolean | null {
  if (value === null) return null;
  if (least === undefined && most === undefined) return Number.isNaN(value) ? false : null;
  return (least === undefined || value >= least) && (most === undefined || value <= most);
}

/** One line for a person. */
export function figureLine(trial: string, figure: Figure): string {
  const { what, value, unit, least, most, note } = figure, holds = met(figure);
  const short = (goal: number) => Number(goal.toPrecision(4));
  const goals = [least === undefined ? [] : `≥ ${short(least)}`, most === undefined ? [] : `≤ ${short(most)}`];
  const goal = goals.flat().join(" and ");
  const verdict = value === null ? "not measured" : holds === null ? "" : holds ? "pass" : "fail";
  const number = value === null ? "–" : Number.isInteger(value) ? `${value}` : value.toPrecision(4);
  const line = `${trial.padEnd(22)} ${what.padEnd(44)} ${number.padStart(9)} ${unit.padEnd(6)} ${
    goal.padEnd(10)
  } ${verdict}`
    .trimEnd();
  return note === undefined ? line : `${line}  (${note})`;
}
