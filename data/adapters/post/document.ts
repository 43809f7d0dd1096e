/**
 * A post line by line: fences, tables and log lines go to the readers of logs, what people write to the reader of clauses.
 *
 * What somebody answers is told apart: it is no evidence of the run, and its figures and options are not the run's. @module
 */
import type { Intake } from "../intake/intake.ts";
import { readMessage } from "../prose/messages.ts";
import { LogReader } from "../text/log_reader.ts";
import { isSentence } from "../prose/sentence.ts";
import type { Line } from "../source/lines.ts";
import { stripAnsi } from "../source/text.ts";
import { metricOf, printedBy, readBareValues } from "./blocks/bare_values.ts";
import { readCodeFacts } from "./blocks/code_facts.ts";
import { readColumns } from "./blocks/columns.ts";
import { readFence } from "./blocks/fence.ts";
import { mendedFragment } from "./blocks/fragment.ts";
import { Chat } from "./text/chat.ts";
import { Indented, POINT } from "./blocks/indented.ts";
import { holdLabelled, labelledTexts } from "./blocks/labelled_texts.ts";
import { ModelTable } from "./tables/model_table.ts";
import { namesTraining } from "./text/names_training.ts";
import { readNames } from "./text/names.ts";
import { readNumberedList } from "./blocks/numbered_list.ts";
import { OpenFence } from "./blocks/open_fence.ts";
import { plainCharacters } from "./text/plain_characters.ts";
import { plainProse, plainRow } from "./text/plain_prose.ts";
import { isOfWorker, warns } from "./text/program_lines.ts";
import { ProseReader } from "./prose_reader.ts";
import { Quotations, unquoted } from "./text/quotations.ts";
import { RunTable } from "./told_runs/run_table.ts";
import type { Speaker } from "./said.ts";
import { readSeriesLine } from "./blocks/series_line.ts";
import { atBars } from "./text/progress_bars.ts";
import { readStepLine, stepLine } from "./blocks/step_line.ts";
import { readStepLists } from "./blocks/paired_lists.ts";
import { stepsIn } from "./blocks/split_steps.ts";
import { TableReader } from "./tables/table.ts";
import { Turns } from "./text/turns.ts";
import { Withdrawn } from "./text/withdrawn.ts";

const MAX_PARAGRAPH = 200, MAX_PARAGRAPH_TEXT = 20_000; // Lines and characters that are read together.
const MAX_PROSE_LINE = 20_000, MAX_MARK = 500; // Characters of a line that somebody wrote, and of a mark's.
const MAX_NAMED = 10_000; // Lines in which names of systems are looked for.

export class PostReader {
  readonly #log: LogReader;
  readonly #table: TableReader;
  readonly #models: ModelTable;
  readonly #runTable: RunTable;
  /** The last line told the figures of a train step. */
  #isCourse = false;
  #fence: OpenFence | null = null;
  #speaker: Speaker = "author";
  #paragraph: Line[] = [];
  #paragraphText = 0;
  /** Who speaks in the paragraph. */
  #by: Speaker = "author";
  readonly #indented = new Indented();
  /** The metric that the last code prints. */
  #shown: string | null = null;
  #named = 0;
  #answered = 0;
  #isHeading = false;
  /** The first line of the paragraph as it is written. */
  #point = "";
  /** The last line before a fence: it says what the fence shows. */
  #lead = "";
  readonly #quotations = new Quotations();
  readonly #chat = new Chat();
  readonly #turns = new Turns();
  readonly #withdrawn = new Withdrawn();
  readonly #prose: ProseReader;

  constructor(private readonly intake: Intake) {
    this.#log = new LogReader(intake, "post");
    this.#table = new TableReader(intake);
    this.#models = new ModelTable(intake);
    this.#prose = new ProseReader(intake);
    this.#runTable = new RunTable(
      (line, label) => this.#prose.readRun(line, label),
      (line) => this.#said(line, "author"),
    );
  }

  take(line: Line): void {
    const plain = plainCharacters(stripAnsi(line.text.endsWith("\r") ? line.text.slice(0, -1) : line.text));
    for (const text of atBars(plain)) this.#plain({ ...line, text });
  }

  #plain(line: Line): void {
    const { text } = line;
    if (this.#fence?.isBefore(text)) this.#close();
    if (this.#fence !== null) return this.#inFence(line, this.#fence);
    for (const own of this.#withdrawn.take(line)) this.#outside(own);
  }

  /** A line outside of fences, of what is neither a comment nor struck out. */
  #outside(line: Line): void {
    if (this.#fence !== null) return this.#plain(line);
    const { text } = line, said = this.#chat.take(text);
    if (said !== null) {
      if (said.speaker !== this.#speaker) this.#flush();
      this.#speaker = said.speaker;
      return this.#plain({ ...line, text: said.rest });
    }
    const isIndented = this.#indented.begins(text), fence = OpenFence.at(line, this.#lead);
    if (fence !== null || isIndented) {
      this.#runTable.end();
      this.#flush();
      this.#fence = fence ?? OpenFence.indented(line, this.#lead);
      if (fence === null) this.#inFence(line, this.#fence);
      return;
    }
    this.#indented.look(text);
    const quoted = this.#quotations.take(line);
    this.#line(quoted ?? line, quoted !== null);
  }

  end(): void {
    this.#endAll();
    const isBare = this.intake.records.segments.length === 0 && this.intake.told.length === 0;
    const { first } = this.#quotations;
    if (isBare && this.#isPassedOn()) {
      this.#speaker = "author";
      for (const line of this.#quotations.release()) this.#plain(line);
      this.#endAll();
    } else if (isBare) {
      for (const line of this.#quotations.release()) this.#log.take({ ...line, text: unquoted(line.text) });
    } else if (first !== undefined) this.intake.skip(first.number, "lines quoted from another message");
    this.#log.end();
    this.#prose.end();
    const answered = `${this.#answered} line${this.#answered > 1 ? "s" : ""}`;
    if (this.#answered > 0) this.intake.leave("answers of others", `${answered}: no evidence of the run`);
  }

  #endAll(): void {
    for (const line of this.#withdrawn.release()) this.#plain(line);
    if (this.#fence !== null) this.#close();
    this.#runTable.end();
    this.#table.end();
    this.#models.end();
    this.#flush();
  }

  /** A report of somebody that is passed on whole, with nothing known beside it. */
  #isPassedOn(): boolean {
    const { claims, settings, completions } = this.intake;
    return this.#quotations.isWhole && settings.length === 0 && completions.length === 0 &&
      !claims.some(({ by }) => by === "author");
  }

  #inFence(line: Line, fence: OpenFence): void {
    if (fence.closes(line.text)) return this.#close();
    if (this.#speaker === "other") this.#answered++;
    else if (!fence.take(line)) this.#log.take(line);
  }

  #close(): void {
    const fence = this.#fence!;
    this.#fence = null;
    this.#turns.begin();
    const { language, lead, first } = fence, rest = fence.lines.filter((line) => !this.#course(line));
    this.#table.end();
    if (readBareValues(this.intake, rest, () => metricOf(fence.lead) ?? this.#shown)) return;
    this.#shown = printedBy(rest) ?? this.#shown;
    // A table is read whole, or not at all.
    if (rest.length < fence.lines.length / 2) { for (const line of rest) this.#log.take(line); }
    else readFence(this.intake, this.#log, { language, lead, first, lines: rest });
  }

  #line(line: Line, isQuoted: boolean): void {
    const { text } = line;
    if (text.trim() === "" || text.length <= MAX_MARK && /^\s*(?:[-*_]\s*){3,}$/.test(text)) {
      this.#log.pause();
      this.#runTable.end();
      this.#table.end();
      this.#models.end();
      return this.#flush();
    }
    const turn = isQuoted ? null : this.#turns.take(text);
    if (turn !== null) {
      this.#flush();
      this.#speaker = turn.speaker;
      return turn.rest.trim() === "" ? undefined : this.#line({ ...line, text: turn.rest }, false);
    }
    const by: Speaker = isQuoted ? "quoted" : this.#speaker;
    if (by !== this.#by) this.#flush();
    this.#by = by;
    if (by === "author" && this.#named++ < MAX_NAMED) {
      this.#models.look(line);
      this.intake.namesTraining ||= namesTraining(text.slice(0, MAX_PROSE_LINE));
      readNames(this.intake, text);
      readCodeFacts(this.intake, text, line.number);
    }
    if (by === "other") this.#answered++;
    // What a program said is the run's own, however it is set.
    if (by === "quoted" && warns(text)) readMessage(this.intake, text, line.number);
    if (by === "author") this.#quotations.beside();
    if (by === "author" && this.#runTable.take(line)) return;
    this.#said(line, by);
  }

  /** What somebody says on a line, or a record of a log. */
  #said(line: Line, by: Speaker): void {
    const isCourse = by === "author" && this.#course(line), isRow = /^\s*\|/.test(line.text);
    // What else the sentence says is read as that of any other.
    const rest = by === "author" && !isCourse && !isRow ? readStepLists(this.intake, line) : null;
    if (rest !== null) line = { ...line, text: rest };
    const { text } = line;
    const behind = by === "author" && !isCourse ? readSeriesLine(this.intake, line) : null;
    if (behind !== null) {
      this.#flush();
      if (/\p{L}/u.test(behind)) this.#paragraph.push({ ...line, text: plainProse(behind) });
      return;
    }
    const isTaken = isCourse || by === "author" &&
        this.#log.take({ ...line, text: isRow ? text : mendedFragment(text) ?? text });
    if (isRow && by === "author" && !isTaken) return this.#row(line);
    if (isOfWorker(text)) return this.#flush();
    // A sentence tells more than its figures.
    if (isTaken && !isSentence(text)) return this.#flush();
    if (text.length > MAX_PROSE_LINE) {
      return this.intake.skip(line.number, `a sentence over ${MAX_PROSE_LINE} characters`);
    }
    // Each point of a list stands by itself.
    if (POINT.test(text)) this.#flush();
    if (this.#paragraph.length === 0) this.#point = text;
    const heading = text.length > MAX_MARK ? null : /^\s*#{1,6}\s+(.*?)\s*#*$/.exec(text);
    if (heading !== null) this.#flush();
    this.#isHeading = heading !== null;
    this.#paragraph.push({ ...line, text: this.#chat.ended(plainProse(heading?.[1] ?? text)) });
    this.#paragraphText += text.length;
    this.#lead = (this.#paragraph.length > 1 ? `${this.#lead} ${text}` : text).slice(-MAX_MARK);
    const isLong = this.#paragraph.length >= MAX_PARAGRAPH || this.#paragraphText >= MAX_PARAGRAPH_TEXT;
    if (heading !== null || isLong) this.#flush();
  }

  /** A line of figures by train step: of a table, or with the step before them. */
  #course(line: Line): boolean {
    if (this.#table.line(line)) return true;
    const steps = stepsIn(line.text);
    if (steps.length > 1) return steps.map((text) => this.#course({ ...line, text })).includes(true);
    const found = stepLine(line.text, this.#isCourse);
    // A record of a log has a reader that knows it better.
    if (found === null || /^\s*\{|['"]\s*:| - \S+:\S+ - /.test(line.text)) {
      this.#isCourse = false;
      return false;
    }
    if (this.#paragraph.length > 0) this.#flush();
    this.#isCourse = readStepLine(this.intake, line, found, this.#prose.asked);
    return this.#isCourse;
  }

  /** A row of a table that holds no records: what stands in its cells. */
  #row(line: Line): void {
    this.#flush();
    this.#paragraph = [{ ...line, text: plainRow(line.text) }];
    this.#flush();
  }

  /** A paragraph is over: its clauses are read. */
  #flush(): void {
    if (this.#paragraph.length === 0) return;
    const by = this.#by, lines = this.#paragraph;
    this.#paragraph = [];
    this.#paragraphText = 0;
    if (by === "author" && holdLabelled(lines) && labelledTexts(this.intake, lines)) return;
    if (by === "author" && (readNumberedList(this.intake, lines) || readColumns(this.#log, lines))) return;
    this.#prose.read(lines, by, { isPoint: POINT.test(this.#point), isHeading: this.#isHeading });
  }
}
