/** Scores of evaluations that can be compared. @module */
import type { Evidence } from "./evidence.ts";

/** Evaluations that can be compared: the same prompts asked in the same mode. */
export interface ScoreSeries {
  /** What the evidence is called: the column, and of which prompts in which mode. */
  readonly name: string;
  /** Of a log: the column of its evaluation records. */
  readonly column?: string;
  /** Split of the prompts; null where a log does not say. */
  readonly split: string | null;
  /** Of a log that asks several data sets: this one's name; absent for the one that the run is judged by. */
  readonly dataSet?: string;
  readonly mode: string | null;
  /** Prompts asked; null where a log does not say. */
  readonly prompts: number | null;
  readonly trainSteps: readonly number[];
  readonly values: readonly number[];
  /** Of a log: the row that shows each value. */
  readonly shown?: readonly Evidence[];
}
