/** Reads what people write, paragraph by paragraph: a clause goes on about what was spoken of before it. @module */
import type { Intake } from "../intake/intake.ts";
import { isSentence } from "../prose/sentence.ts";
import type { Line } from "../source/lines.ts";
import { type Clause, clausesOf } from "./clauses.ts";
import { comparesNumbers, doubts, hasUnread, tellsOutcome } from "./stance/doubts.ts";
import { sawNothing } from "./stance/hearsay.ts";
import { Lesson } from "./stance/lesson.ts";
import { withoutLostLetters } from "./text/lost_letters.ts";
import { gpuNamed } from "./text/gpu_named.ts";
import { LISTED } from "./blocks/paired_lists.ts";
import { readProseSettings } from "./prose_settings.ts";
import { quotedCompletions } from "./text/quoted_completions.ts";
import { readClause, type Said } from "./read_clause.ts";
import { isExpectedBreak } from "./stance/expected_break.ts";
import { isScheme } from "./stance/reward_scheme.ts";
import type { RunLabel } from "./told_runs/run_labels.ts";
import type { Speaker, ToldValue } from "./said.ts";
import { isServedOtherwise } from "./stance/served.ts";
import { holdsThroughout } from "./span.ts";
import { WhichRun } from "./told_runs/which_run.ts";

const LEAST_WORDS = 3; // Of a sentence that is listed as not understood.
const MAX_CLAUSES = 4000; // Of a text that says more, the rest is a book.
const MAX_DOUBT = 500; // Characters of a sentence that is kept.

/** What is spoken of where a clause opens with the name of another run. */
const OF_RUN: Said["mentions"] = [{ subject: "training", name: null, at: 0, end: 0 }];

/** What a paragraph is by its marks. */
interface Form {
  readonly isPoint: boolean;
  readonly isHeading: boolean;
  /** The run that it tells of, where it is one of a table. */
  readonly run?: RunLabel;
}

/** What was taken of a sentence. */
interface Heard {
  readonly line: number;
  isKnown: boolean;
  /** Something of a metric was taken, not settings alone. */
  isResult: boolean;
  /** A part of it asks, or tells of what is over. */
  isOpen: boolean;
  /** A clause tells of a result in words that are unknown here. */
  isUnheard: boolean;
  /** The numbers that were read in it. */
  readonly read: number[];
}

export class ProseReader {
  #mentions: Said["mentions"] = [];
  /** The last metrics that were spoken of: a number alone is of them. */
  #asked: Said["mentions"] = [];
  /** The sentence before a list says that its points hold throughout. */
  #isThroughout = false;
  #clauses = 0;
  readonly #lesson = new Lesson();
  readonly #runs = new WhichRun();

  constructor(private readonly intake: Intake) {}

  get asked(): Said["mentions"] {
    return this.#asked;
  }

  /** A run of a table, as its writer would say it. */
  readRun(line: Line, run: RunLabel): void {
    this.read([line], "author", { isPoint: false, isHeading: false, run });
  }

  /** A paragraph of a speaker. */
  read(lines: readonly Line[], by: Speaker, { isPoint, isHeading, run }: Form): void {
    if (this.#clauses > MAX_CLAUSES) {
      return this.intake.skip(lines[0]!.number, `prose after ${MAX_CLAUSES} clauses`);
    }
    let isApart = true, isThroughout = false, hasSaid = false, first: string | null = null;
    const heard = new Map<string, Heard>();
    if (by === "author") this.#runs.begin(run);
    for (const clause of clausesOf(lines.map((line) => ({ ...line, text: withoutLostLetters(line.text) })))) {
      this.#clauses++;
      if (this.#lesson.teaches(clause, isPoint)) continue;
      isThroughout ||= holdsThroughout(clause.sentence);
      if (by === "author" && sawNothing(clause.text, clause.text === (first ??= clause.text))) {
        this.#runs.isOfNone();
      }
      const { isKnown, isResult, mentions, read } = this.#clause(
        clause,
        by,
        isApart,
        isPoint && this.#isThroughout,
        run,
      );
      if (mentions.length > 0) isApart = false;
      hasSaid ||= isKnown;
      if (by !== "author") continue;
      if (clause.isFirst) {
        heard.set(clause.sentence, {
          line: clause.line,
          isKnown: false,
          isResult: false,
          isOpen: false,
          isUnheard: false,
          read: [],
        });
      }
      if (clause.isFirst && !clause.isApart && !clause.isQuestion && isServedOtherwise(clause.sentence)) {
        this.intake.message("served_otherwise", clause.sentence, null, clause.line);
      }
      const sentence = heard.get(clause.sentence);
      if (sentence === undefined) continue;
      // "The loss falls, but the model answers …": a result in unknown words beside one that is known.
      if (!isKnown && !sentence.isOpen && !clause.isQuestion && tellsOutcome(clause.text)) sentence.isUnheard = true;
      sentence.isKnown ||= isKnown;
      sentence.isResult ||= isResult;
      sentence.isOpen ||= clause.isQuestion || clause.isApart || isExpectedBreak(clause.sentence);
      sentence.read.push(...read);
    }
    if (by === "author") this.#runs.end(hasSaid, isHeading);
    if (!isPoint) this.#isThroughout = /[:：]\s*$/.test(lines.at(-1)!.text) && isThroughout;
    if (by === "author") quotedCompletions(this.intake, lines);
    for (const [sentence, { line, isKnown, isResult, isOpen, isUnheard, read }] of heard) {
      const isUnclear = (isResult || comparesNumbers(sentence)) && hasUnread(sentence, read) ||
        !isKnown && tellsOutcome(sentence) || isUnheard;
      if ((!isOpen && isUnclear || !isKnown && doubts(sentence)) && !isScheme(sentence)) {
        this.intake.message("doubt", sentence.trim().slice(0, MAX_DOUBT), null, line);
      }
      if (!isKnown && isSentence(sentence, LEAST_WORDS) && !sentence.includes(LISTED)) {
        this.intake.skip(line, "sentence not understood");
      }
    }
  }

  /** The text is over: which of its runs it is about is known. */
  end(): void {
    this.#runs.settle(this.intake);
  }

  /** Takes a clause: what it speaks of, and whether it says something known. */
  #clause(clause: Clause, by: Speaker, isApart: boolean, isThroughout: boolean, run?: RunLabel) {
    const { claims, told, settings, taken } = this.intake;
    const gpu = by === "author" && !clause.isApart ? gpuNamed(clause.text) : null;
    if (gpu !== null) this.intake.setting("gpu", gpu.name, "string", clause.line, gpu.at + 1);
    const from = [claims.length, told.length, settings.length] as const;
    const { label, opens } = by === "author" ? this.#runs.look(clause) : { label: null, opens: false };
    const { mentions, ...said } = readClause(
      clause,
      by,
      opens && label!.isRepeat ? OF_RUN : this.#mentions,
      isApart && !opens,
      this.#asked,
    );
    if (mentions.length > 0) this.#mentions = mentions;
    if (mentions.some(({ name }) => name !== null)) this.#asked = mentions;
    const all = isThroughout ? { throughout: true } : {}, shown = clause.text.trim();
    const quoted = (text: string) => clause.written !== undefined && text === shown ? clause.written.trim() : text;
    for (const claim of said.claims) this.intake.claim({ ...claim, ...all, text: quoted(claim.text) });
    for (const value of said.values) this.intake.tell(sinceStart({ ...value, ...all, text: quoted(value.text) }, told));
    if (by !== "author") {
      return { mentions, isKnown: said.claims.length + said.values.length > 0, isResult: false, read: [] };
    }
    if (!clause.isApart) readProseSettings(this.intake, clause);
    const own = claims.slice(from[0]), values = told.slice(from[1]);
    this.#runs.add({
      label,
      text: clause.text,
      sentence: clause.sentence,
      line: clause.line,
      isQuestion: clause.isQuestion,
      isApart: clause.isApart,
      claims: own,
      values,
      isRow: run !== undefined,
      given: new Set([...own, ...values, ...settings.slice(from[2])]),
    });
    const read = [
      ...own.flatMap(({ value, from, to }) => [value, from, to]),
      ...values.flatMap(({ values, from, to }) => [...values, from, to]),
      ...settings.slice(from[2]).map(({ value }) => Number(value)),
    ].filter((one) => one !== null);
    return { mentions, isKnown: this.intake.taken > taken, isResult: own.length + values.length > 0, read };
  }
}

/** What a score was at first: "the initial score is 53 %", 基座是 53%. */
const AT_FIRST =
  /(?<!\p{L})(?:initial(?:ly)?|base(?:line)?|original(?:ly)?|start(?:ing|s|ed)?|before|untrained|zu Beginn|anfangs|vorher|Basis\p{L}*|au départ|initiale?|avant|de base|inicial(?:mente)?|antes|исходн\p{L}+|начальн\p{L}+|базов\p{L}+|до обучения)(?!\p{L})|初始|原始|基座|训练前|基线|最初|学習前|ベース|처음|초기|학습\s?전|베이스/iu;

/** A score that goes on without its name, "after training I get 36 %", goes from what it is told to have been at first. */
function sinceStart(value: ToldValue, told: readonly ToldValue[]): ToldValue {
  const first = told.findLast(({ name }) => name === value.name);
  const isCarried = value.printed === value.name && value.relation === "is" && value.from === null;
  return isCarried && first?.relation === "is" && AT_FIRST.test(first.text)
    ? { ...value, relation: "course", values: [first.values[0]!, value.values[0]!] }
    : value;
}
