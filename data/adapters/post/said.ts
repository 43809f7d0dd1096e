/** What a clause says of a run: a claim, or a number of a metric. @module */
import type { PredicateName } from "./words/predicates.ts";
import type { SubjectName } from "./words/subjects.ts";

/** For which train steps something is said. */
export interface Span {
  /** First and last train step, where they are told. */
  readonly from: number | null;
  readonly to: number | null;
  /** It holds for the whole run, as far as it is told. */
  readonly throughout: boolean;
  /** It is said of the end of the run: "the last 10 steps". */
  readonly atEnd?: true;
  /** "After 300 steps": what is told was so then; whether it has been so since, nobody says. */
  readonly reached?: true;
}

/** Numbers of a metric in prose: one value, the two that it lies between or goes from and to, or several in a row. */
export interface ToldValue extends Span {
  /** The metric as it is called there. */
  readonly printed: string;
  /** A name that `nameInfo` knows. */
  readonly name: string;
  readonly values: readonly number[];
  readonly relation: "is" | "between" | "course" | "series";
  readonly decimals: number;
  readonly line: number;
  readonly text: string;
}

/** Who says it: the person whose run it is; somebody that they quote; who answers them. */
export type Speaker = "author" | "quoted" | "other";

/** A statement of a person without a number, or beside one. */
export interface Claim extends Span {
  readonly subject: SubjectName;
  readonly predicate: PredicateName;
  /** The number in it, or null. */
  readonly value: number | null;
  readonly text: string;
  readonly line: number;
  readonly by: Speaker;
  /** Said of another run, setting or time: "without the flag", "before the upgrade". */
  readonly elsewhere: boolean;
}
