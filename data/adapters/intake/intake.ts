/**
 * Where every format delivers what it reads: records, settings, messages, completions, and what it could not read.
 * @module
 */
import type { ColumnTable } from "arquero";
import type { TableName } from "../../columns.ts";
import { findOption } from "../../options.ts";
import type { ImportedCompletion, ImportedMessage, ImportedSetting, ImportedSource } from "../run/imported_run.ts";
import type { NameInfo } from "./name_info.ts";
import { RawTable } from "./raw_table.ts";
import { NONE, Stage } from "./stage.ts";

export const MAX_COMPLETIONS = 20_000;
const MAX_COMPLETION_TEXT = 20_000;
const MAX_SETTINGS = 20_000;
const MAX_MESSAGES_PER_KIND = 20;
/** A file with more restarts than this is read on as one run. */
const MAX_SEGMENTS = 32;
const MAX_CLOSED_CELLS = 250_000;
const MAX_MESSAGE_TEXT = 500;

/** What a completion is, of which its source says no more than the text. */
const NOTHING_SAID = {
  train_step: null,
  prompt_id: 0,
  sample: 0,
  reward: null,
  rewards: new Map<string, number | null>(),
  advantage: null,
  completion_tokens: null,
  truncated: null,
};

/** Records of one run inside one source. */
export interface Segment {
  readonly source: number;
  readonly train: RawTable;
  readonly evals: RawTable;
  /** Messages, completions that were read while the segment was open. */
  firstStep: number;
  lastStep: number;
  lastEpoch: number;
  lastLine: number;
  /** Why it was opened, e.g. "step went back to 1". */
  readonly opened: string;
  /** Made of loose lines (`reward: 1`, progress bars): counts only where no real record is. */
  readonly weak: boolean;
}

/** How a format hands over the staged record. */
export interface Commit {
  readonly line: number;
  readonly step?: number;
  readonly rank?: number;
  /** Loose lines, see Segment. */
  readonly weak?: boolean;
  /** The format holds nothing but metrics: unknown names are metrics too. */
  readonly metrics?: boolean;
  /** The name before a dict: its settings belong to it. */
  readonly parent?: string;
  /** The record is an evaluation whatever its names. */
  readonly evaluation?: boolean;
}

export class Intake {
  readonly stage = new Stage();
  readonly sources: ImportedSource[] = [];
  readonly segments: Segment[] = [];
  readonly settings: ImportedSetting[] = [];
  readonly completions: ImportedCompletion[] = [];
  /** Tables of a run of ours, in the pieces in which they were read. */
  readonly tables = new Map<TableName, ColumnTable[]>();
  readonly #messages = new Map<string, ImportedMessage[]>();
  readonly #skipped = new Map<string, { source: string; line: number | null; reason: string; count: number }>();
  /** Marks of systems seen in the text: system → first line that shows it. */
  readonly marks = new Map<string, string>();
  /** Names that become no column: with a text for a value ("global_step/max_steps"), or counting steps. */
  readonly textNames = new Set<string>();
  #segment: Segment | null = null;
  #weak: Segment | null = null;

  get source(): ImportedSource {
    return this.sources[this.sources.length - 1]!;
  }

  openSource(path: string, format: string, bytes: number): ImportedSource {
    const source: ImportedSource = { path, format, bytes, bytes_read: 0, records: 0, partial: null };
    this.sources.push(source);
    this.#segment = this.#weak = null;
    return source;
  }

  mark(system: string, why: string): void {
    if (!this.marks.has(system)) this.marks.set(system, structuredClone(why.slice(0, 200)));
  }

  get messages(): ImportedMessage[] {
    return [...this.#messages.values()].flat().sort((a, b) => a.source === b.source ? a.line - b.line : 0);
  }

  get skipped(): { source: string; line: number | null; reason: string; count: number }[] {
    return [...this.#skipped.values()];
  }

  skip(line: number | null, reason: string): void {
    const key = `${this.sources.length}\0${reason}`;
    const found = this.#skipped.get(key);
    if (found === undefined) {
      this.#skipped.set(key, { source: this.sources.at(-1)?.path ?? "", line, reason, count: 1 });
    } else found.count++;
  }

  /** Notes a file or folder that was not read. */
  leave(path: string, reason: string): void {
    this.#skipped.set(`left\0${path}`, { source: path, line: null, reason, count: 1 });
  }

  message(kind: string, text: string, value: number | null, line: number): void {
    const list = this.#messages.get(kind) ?? [];
    if (list.length < MAX_MESSAGES_PER_KIND) {
      const own = structuredClone(text.trim().slice(0, MAX_MESSAGE_TEXT));
      const step = this.#segment === null || this.#segment.lastLine < 0 ? null : this.#segment.lastStep;
      list.push({ kind, text: own, value, train_step: step, source: this.source.path, line, count: 1 });
      this.#messages.set(kind, list);
    }
    list[0]!.count = list.length < MAX_MESSAGES_PER_KIND ? list.length : list[0]!.count + 1;
  }

  setting(
    name: string,
    value: unknown,
    writtenType: string,
    line: number,
    column: number,
    system: string | null = null,
  ) {
    if (this.settings.length >= MAX_SETTINGS) return this.skip(line, `more than ${MAX_SETTINGS} settings`);
    const own = structuredClone(name);
    this.settings.push({
      name: own,
      option: findOption(own, system),
      value: typeof value === "string" ? structuredClone(value.slice(0, 2000)) : value,
      written_type: writtenType,
      system,
      source: this.source.path,
      line,
      column,
    });
  }

  /** A completion; what its source does not say is absent. */
  completion(row: Pick<ImportedCompletion, "line" | "text"> & Partial<ImportedCompletion>): void {
    if (this.completions.length >= MAX_COMPLETIONS) {
      return this.skip(row.line, `more than ${MAX_COMPLETIONS} completions`);
    }
    const own = (text: string | null = null) => text && structuredClone(text.slice(0, MAX_COMPLETION_TEXT));
    this.source.records++;
    this.completions.push({
      ...NOTHING_SAID,
      ...row,
      source: this.source.path,
      text: own(row.text)!,
      cut: row.cut === true || row.text.length > MAX_COMPLETION_TEXT,
      prompt: own(row.prompt),
      answer: own(row.answer),
    });
  }

  /** The train step of the last record, or null before the first. */
  get lastStep(): number | null {
    return this.#segment === null || this.#segment.train.rows === 0 ? null : this.#segment.lastStep;
  }

  /** Takes the staged record: metrics, an evaluation or settings. False where it is none of them. */
  commit(how: Commit): boolean {
    const stage = this.stage;
    let strong = 0, mapped = 0, evals = 0, options = 0, step = how.step ?? NaN, epoch = NaN, summary = false;
    for (let i = 0; i < stage.count; i++) {
      const info = stage.infos[i]!;
      if (info.isEval) evals++;
      else if (info.isStrong) strong++;
      if (info.mapped) mapped++;
      if (info.isOption && !info.isStrong) options++;
      if (info.isStep) {
        if (Number.isNaN(step)) step = stage.values[i]!;
        this.textNames.add(info.printed);
      } else if (info.column === "epoch") epoch = stage.values[i]!;
      if (info.printed === "train_runtime") summary = true;
    }
    for (const text of stage.texts) {
      if (text.name === "global_step/max_steps") step = parseInt(text.value, 10);
      if (this.textNames.size < 500) this.textNames.add(text.name);
    }
    if (summary) return true;
    const isRecord = strong > 0 || evals > 0 || how.metrics === true && (stage.count > 0) ||
      mapped >= 2 && mapped >= options && !Number.isNaN(epoch);
    if (!isRecord) {
      return options > 0 && options + this.#textOptions() >= 2 ? this.#commitSettings(how.line, how.parent) : false;
    }
    const toEval = how.evaluation === true || (evals > 0 && strong === 0);
    if (!toEval) this.#row("train", step, epoch, how, (info) => !info.isEval);
    if (toEval) this.#row("evals", step, epoch, how, () => true);
    else if (evals > 0) this.#row("evals", step, epoch, how, (info) => info.isEval);
    this.source.records++;
    return true;
  }

  /** Takes the staged row of a table of metrics; says so where none of its names is known. */
  commitRow(line: number): void {
    if (!this.commit({ line, metrics: true })) this.skip(line, "a row without a known metric");
  }

  #textOptions(): number {
    let n = 0;
    for (const { name } of this.stage.texts) if (findOption(name, null) !== null) n++;
    return n;
  }

  #commitSettings(line: number, parent?: string): boolean {
    const { stage } = this;
    const prefix = parent !== undefined && /kwargs|config/.test(parent) ? `${parent}.` : "";
    for (let i = 0; i < stage.count; i++) {
      const none = stage.decimals[i] === NONE;
      const type = none ? "null" : "number";
      this.setting(prefix + stage.infos[i]!.printed, none ? null : stage.values[i], type, line, stage.ats[i]! + 1);
    }
    for (const { name, value, quoted, at } of stage.texts) {
      this.setting(prefix + name, value, quoted ? "string" : value.startsWith("[") ? "list" : "string", line, at + 1);
    }
    return true;
  }

  #row(table: "train" | "evals", step: number, epoch: number, how: Commit, take: (info: NameInfo) => boolean): void {
    const { stage } = this;
    const current = how.weak === true ? this.#weak : this.#segment;
    if (how.rank !== undefined && current !== null && current.train.rows > 0 && current.train.rank[0] !== -1) {
      if (current.train.rank[0] !== how.rank) return this.#otherRank(how);
    }
    const segment = this.#segmentFor(table, step, epoch, how.weak === true);
    const raw = segment[table];
    const merge = table === "train" && !Number.isNaN(step) && raw.rows > 0 && raw.step[raw.rows - 1] === step &&
      raw.source[raw.rows - 1] === this.sources.length - 1 && !this.#repeats(raw);
    if (!merge) raw.addRow(step, how.line, this.sources.length - 1, how.rank ?? -1);
    for (let i = 0; i < stage.count; i++) {
      const info = stage.infos[i]!;
      if (info.isStep || !take(info)) continue;
      if (!raw.addValue(info, stage.values[i]!, stage.decimals[i]!)) {
        this.skip(how.line, "more names than a run can have");
      }
    }
    if (table === "train") {
      segment.lastStep = Number.isNaN(step) ? raw.rows + raw.thinned : step;
      if (Number.isNaN(segment.firstStep)) segment.firstStep = segment.lastStep;
      if (!Number.isNaN(epoch)) segment.lastEpoch = epoch;
    }
    segment.lastLine = how.line;
  }

  /** One rank's records are enough; another rank's are counted, and reported where they are not finite. */
  #otherRank(how: Commit): void {
    this.skip(how.line, `records of rank ${how.rank}, beside those of another rank`);
    for (let i = 0; i < this.stage.count; i++) {
      if (this.stage.decimals[i] === NONE || Number.isFinite(this.stage.values[i]!)) continue;
      const name = this.stage.infos[i]!.printed;
      return this.message("non_finite_on_other_rank", `rank ${how.rank}: ${name}`, how.rank!, how.line);
    }
  }

  /** A name of the staged record already has a value in the last row: it is another record of the same step. */
  #repeats(raw: RawTable): boolean {
    const { stage } = this;
    for (let i = 0; i < stage.count; i++) {
      if (stage.infos[i]!.isStrong && raw.hasInLastRow(stage.infos[i]!)) return true;
    }
    return false;
  }

  #segmentFor(table: "train" | "evals", step: number, epoch: number, weak: boolean): Segment {
    const last = weak ? this.#weak : this.#segment;
    if (last === null) return this.#open("first record", weak);
    if (table === "evals" || last.train.rows === 0) return last;
    if (this.segments.length >= MAX_SEGMENTS) return last;
    if (!Number.isNaN(step)) {
      if (step < last.lastStep && step <= last.firstStep) return this.#open(`train step went back to ${step}`, weak);
    } else if (epoch < last.lastEpoch / 2 && last.train.rows > 1) {
      return this.#open(`epoch went back to ${epoch}`, weak);
    }
    return last;
  }

  /** The next record belongs to another run or phase, as the format itself says. */
  newSegment(why: string): void {
    this.#open(why, false);
  }

  #open(opened: string, weak: boolean): Segment {
    const segment: Segment = {
      source: this.sources.length - 1,
      train: new RawTable(),
      evals: new RawTable(),
      firstStep: NaN,
      lastStep: NaN,
      lastEpoch: NaN,
      lastLine: -1,
      opened,
      weak,
    };
    // Runs that are over keep a share of the memory only: many restarts must not add up.
    for (const { train, evals } of this.segments) {
      train.shrink(MAX_CLOSED_CELLS);
      evals.shrink(MAX_CLOSED_CELLS);
    }
    this.segments.push(segment);
    if (weak) this.#weak = segment;
    else this.#segment = segment;
    return segment;
  }
}
