/**
 * Which of the runs of a post it is about: "seed 1 reaches 0.8; seed 2: its loss turns NaN".
 *
 * Each clause is of a run by what it opens with, or by the heading above it. Where one run goes well and another does not,
 * the broken one is the post's, unless it was only tried out: a setting that nobody asks about, or that another one was
 * taken for. What is said of the others is a contrast, and their numbers and options are not the run's. @module
 */
import type { Intake } from "../../intake/intake.ts";
import type { Clause } from "../clauses.ts";
import { isOfOwnRun } from "../text/own_run.ts";
import { asks, isChosen, isIll, isWell, type Part } from "./run_fate.ts";
import { labelOf, type RunLabel } from "./run_labels.ts";

interface Spoken extends Part {
  readonly label: RunLabel | null;
  readonly sentence: string;
  readonly line: number;
  /** It stands in a table of runs. */
  readonly isRow: boolean;
  /** What it gave: claims, numbers and options, as they stand in the intake. */
  readonly given: ReadonlySet<object>;
}

/** What a part of a post is called that stands before "another run". */
const MAIN = "1";
const keyOf = ({ kind, value }: RunLabel) => `${kind} ${value}`;

export class WhichRun {
  readonly #spoken: Spoken[] = [];
  /** The label of the paragraph so far, and of the heading above it. */
  #label: RunLabel | null = null;
  #section: RunLabel | null = null;
  #sentence = "";
  #opened = false;
  #isRow = false;
  /** Clauses before the last one in which somebody says to have run nothing. */
  #ofNone = 0;

  /** A paragraph begins; of a table it tells of one run. */
  begin(run: RunLabel | null = null): void {
    this.#label = run ?? this.#section;
    this.#isRow = run !== null;
    this.#sentence = "";
    this.#opened = false;
  }

  /** A paragraph is over: one of a name alone is a heading, what follows is of that run. */
  end(hasSaid: boolean, isHeading: boolean): void {
    if (isHeading || this.#opened && !hasSaid) this.#section = this.#opened ? this.#label : null;
  }

  /** The run of a clause, and whether it opens with its name. */
  look({ text, sentence, isFirst }: Clause): { readonly label: RunLabel | null; readonly opens: boolean } {
    const found = this.#isRow ? null : labelOf(text, this.#label), last = this.#label;
    const isDetail = found !== null && last?.isRepeat === true && !found.isRepeat && sentence === this.#sentence &&
      !isFirst;
    this.#sentence = sentence;
    if (found === null || isDetail) return { label: last, opens: false };
    this.#label = found;
    this.#opened = true;
    return { label: found, opens: last === null || keyOf(found) !== keyOf(last) };
  }

  add(spoken: Spoken): void {
    this.#spoken.push(spoken);
  }

  /** Whoever writes has run nothing so far: what stands before it is of no run, unless it is said of their own. */
  isOfNone(): void {
    this.#ofNone = this.#spoken.length;
  }

  /** Settles it: what was given of runs that the post is not about becomes a contrast. */
  settle(intake: Intake): void {
    const before = this.#spoken.slice(0, this.#ofNone);
    if (intake.records.segments.length === 0 && !before.some(({ sentence }) => isOfOwnRun(sentence))) {
      setApart(intake, new Set(before.flatMap(({ given }) => [...given])));
    }
    for (const kind of new Set(this.#spoken.flatMap(({ label }) => label?.kind ?? []))) {
      const own = this.#family(kind);
      if (own !== null && this.#decide(own, intake)) return;
    }
    // Rows that nothing tells apart are several runs, and none of them the post's.
    setApart(intake, new Set(this.#spoken.flatMap(({ isRow, given }) => isRow ? [...given] : [])));
  }

  /** The runs of one kind with what is said of each; null where there is one only. */
  #family(kind: string): Map<string, Spoken[]> | null {
    const runs = new Map<string, Spoken[]>();
    const isOpen = this.#spoken.some(({ label }) => label?.kind === kind && label.isFurther) &&
      !this.#spoken.some(({ label }) => label?.kind === kind && !label.isFurther);
    for (const one of this.#spoken) {
      const value = one.label?.kind === kind
        ? one.label.value
        : one.label === null && isOpen && !one.isQuestion
        ? MAIN
        : null;
      if (value === null) continue;
      const own = runs.get(value);
      if (own === undefined) runs.set(value, [one]);
      else own.push(one);
    }
    return runs.size < 2 ? null : runs;
  }

  #decide(runs: ReadonlyMap<string, readonly Spoken[]>, intake: Intake): boolean {
    const all = [...runs.values()], isRepeat = all.flat().some(({ label }) => label?.isRepeat === true);
    const isRow = (one: readonly Spoken[]) => one.some((part) => part.isRow),
      goesWell = all.filter((one) => one.some(isWell));
    const broken = all.filter((one) => one.some(isIll));
    // "converges" in a row says that the others do not.
    const ill = broken.length > 0 || goesWell.length === 0
      ? broken
      : all.filter((one) => isRow(one) && !goesWell.includes(one));
    // Of one of several tries a log may be all that is told, and a row of a table says how its run ended.
    const well = all.filter((one) => !ill.includes(one) && (isRepeat || isRow(one) || goesWell.includes(one)));
    if (ill.length === 0 || well.length === 0) return false;
    const chosen = this.#spoken.flatMap(({ text }) => isChosen(text) ? text.toLowerCase() : []);
    const isTaken = well.some((one) => one.some(({ text, label }) => isChosen(text) || isNamed(label, chosen)));
    const isAsked = this.#spoken.some((one) => asks(one.sentence) || one.label === null && isIll(one));
    const isOfIll = isAsked && !isTaken || isRepeat && !isTaken;
    const apart = new Set((isTaken ? ill : isOfIll ? well : all).flat().flatMap(({ given }) => [...given]));
    setApart(intake, apart);
    if (isOfIll) {
      const { sentence, line } = ill[0]!.find(isIll) ?? ill[0]![0]!;
      intake.message("broken_run", sentence.trim(), null, line);
    }
    return true;
  }
}

/** "We keep 1e-5": its value is named where one is chosen. */
const isNamed = (label: RunLabel | null, chosen: readonly string[]) =>
  label !== null && chosen.some((text) => text.includes(label.value));

function setApart(intake: Intake, apart: ReadonlySet<object>): void {
  intake.claims.forEach((claim, i) => apart.has(claim) && (intake.claims[i] = { ...claim, elsewhere: true }));
  keep(intake.told, (value) => !apart.has(value));
  keep(intake.settings, (setting) => !apart.has(setting));
}

function keep<T>(list: T[], test: (one: T) => boolean): void {
  list.splice(0, list.length, ...list.filter(test));
}
