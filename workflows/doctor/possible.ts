/** The differential as the reports tell it: what else it may be, why, and the look that decides. @module */
import { type Decisive, lookText } from "../../steps/diagnoses/differential/decide_between.ts";
import { probabilityIn, told } from "./told.ts";
import type { Finding } from "../../steps/diagnoses/diagnosis.ts";
import type { Likely } from "../../steps/diagnoses/differential/differential.ts";
import { percent } from "../../steps/diagnoses/view/numbers.ts";
import { commandLine } from "../terminal/command_line.ts";
import type { Examined } from "./examined.ts";
import { asClause, plainFigures } from "./plain_figures.ts";

/** A cause that stays possible, in words. */
export interface Possible {
  readonly cause: string;
  /** From 0 to 1. */
  readonly probability: number;
  /** What speaks for it, first: a clause; "" where the head of the report says it. */
  readonly why: string;
  /** What to look at, and what it shows for which cause; null where the run shows it already. */
  readonly look: string | null;
  /** Options and commands for that look, ready to copy. */
  readonly how: readonly string[];
}

/** What it may be in place of the first finding; of an undecided run, what it may be at all. */
export function possibleCauses(examined: Examined, all: boolean): Possible[] {
  return told(examined.diagnosis, all).possible.map((entry) => possible(entry, examined));
}

/** The same of the first finding, which heads the list; null where there is none, or nothing to say besides its name. */
export function firstCause(examined: Examined, all: boolean): Possible | null {
  const { first } = told(examined.diagnosis, all);
  return first && possible(first, examined);
}

/** A cause as a page lists it: found, or what it may be besides. */
interface Listed extends Possible {
  readonly isFirst: boolean;
  /** One of the findings. */
  readonly isFound: boolean;
}

/** The first finding, then what is found beside it and what it may be in its place, most likely first; none where nothing is left to look at. */
export function listedCauses(examined: Examined, all: boolean): Listed[] {
  const { findings, possible: others } = told(examined.diagnosis, all), { differential } = examined.diagnosis;
  // A look-alike of the first is told as what it may be, also where it is found.
  const isOther = (cause: string) => others.some((other) => other.cause === cause);
  const found = findings.filter(({ cause }) => !isOther(cause))
    .flatMap(({ cause }) => differential.find((likely) => likely.cause === cause) ?? []);
  if (others.length === 0 && found.every(({ decide }) => decide === undefined)) return [];
  const [first, ...rest] = [...found, ...others], isFirst = first?.cause === findings[0]?.cause;
  const entries = [...first === undefined ? [] : [first], ...rest.sort((a, b) => b.probability - a.probability)];
  return entries.map((entry) => ({
    ...possible(entry, examined),
    isFirst: isFirst && entry === first,
    isFound: found.includes(entry),
  }));
}

/** How likely a finding is what is wrong; null of a note. */
export function probabilityOf({ diagnosis }: Pick<Examined, "diagnosis">, { cause }: { cause: string }): number | null {
  return probabilityIn(diagnosis.differential, cause);
}

function possible(entry: Likely, examined: Examined): Possible {
  const { cause, probability, decide } = entry, says = entry.for[0]?.says ?? "";
  // The first sentence of a run that is not told says its first reason.
  const isHead = examined.diagnosis.verdict === "insufficient" && says === examined.diagnosis.reasons[0];
  return {
    cause,
    probability,
    why: isHead ? "" : asClause(plainFigures(says)),
    look: decide === undefined ? null : lookText(cause, decide),
    how: decide === undefined ? [] : howLines(decide, examined),
  };
}

/** What a finding is not; without what the same report calls possible. */
export function ruledOut(examined: Examined, { ruled_out }: Finding, all: boolean): Finding["ruled_out"] {
  const possible = told(examined.diagnosis, all).possible.map(({ cause }) => cause);
  return ruled_out.filter(({ cause }) => !possible.includes(cause))
    .map(({ cause, why }) => ({ cause, why: plainFigures(why) }));
}

/** Options of a look, and its command with the run's name. */
export function howLines({ options, command }: Decisive, { path }: Pick<Examined, "path">): string[] {
  const words = command.map((word) => word === "RUN" ? path : word);
  return [...options, ...(words.length === 0 ? [] : [commandLine(words)])];
}

/** "7 %"; what is less than one is said so. */
export function probabilityText(probability: number): string {
  return probability < 0.01 ? "< 1 %" : percent(Math.round(100 * probability) / 100);
}
