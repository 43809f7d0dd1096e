/** Where every format delivers what it reads: records, settings, messages, completions, what it could not read. @module */
import type { ColumnTable } from "arquero";
import type { TableName } from "../../columns.ts";
import { findOption } from "../../options.ts";
import type { RunRows } from "../../run_rows.ts";
import type {
  AlgorithmName,
  ImportedCompletion,
  ImportedMessage,
  ImportedSetting,
  ImportedSource,
  Skipped,
} from "../run/imported_run.ts";
import type { Claim, ToldValue } from "../post/said.ts";
import { isMeasured } from "./measured.ts";
import type { Summary } from "./progress.ts";
import { Records } from "./records.ts";
import { NONE, Stage } from "./stage.ts";

const MAX_COMPLETIONS = 20_000;
const MAX_COMPLETION_TEXT = 20_000;
const MAX_SETTINGS = 20_000;
const MAX_CLAIMS = 1000;
const MAX_MESSAGES_PER_KIND = 20;
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

/** True if a number counts something: neither NaN nor infinite, nor one from which its neighbours cannot be told. */
const isTrainStep = (step: number) => Math.abs(step) <= Number.MAX_SAFE_INTEGER;

/** How a format hands over the staged record. */
interface Commit {
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
  readonly records = new Records(this.stage, this);
  readonly sources: ImportedSource[] = [];
  readonly settings: (ImportedSetting & { readonly run: string | null })[] = [];
  readonly completions: ImportedCompletion[] = [];
  /** What people say of the run in prose, and the numbers that they tell. */
  readonly claims: (Claim & { readonly source: string })[] = [];
  readonly told: (ToldValue & { readonly source: string })[] = [];
  /** Tables of a run of ours, in the pieces in which they were read. */
  readonly tables = new Map<TableName, ColumnTable[]>();
  /** The run that is read, where its source holds several and names each. */
  #run: string | null = null;
  readonly #messages = new Map<string, ImportedMessage[]>();
  readonly #skipped = new Map<string, Skipped>();
  /** Marks of systems seen in the text: system → first line that shows it. */
  readonly marks = new Map<string, string>();
  /** Algorithms that prose names, with how often; the first one that is named counts twice. */
  readonly spoken = new Map<AlgorithmName, number>();
  /** A person names what only the training of a model has. */
  namesTraining = false;
  /** Names that become no column: with a text for a value ("global_step/max_steps"), or counting steps. */
  readonly textNames = new Set<string>();
  /** Grows with everything that is taken: who follows a log looks again when it has grown. */
  taken = 0;

  get source(): ImportedSource {
    return this.sources[this.sources.length - 1]!;
  }

  openSource(path: string, format: string, bytes: number): ImportedSource {
    const source: ImportedSource = { path, format, bytes, bytes_read: 0, records: 0, partial: null };
    this.sources.push(source);
    this.#run = null;
    this.records.nextSource();
    return source;
  }

  /** What follows is of this run: a source that holds several, or whose neighbours are other runs, names each. */
  nextRun(run: string): void {
    this.#run = structuredClone(run);
    this.records.nextRun(this.#run);
  }

  mark(system: string, why: string): void {
    if (!this.marks.has(system)) this.marks.set(system, structuredClone(why.slice(0, 200)));
  }

  speak(algorithm: AlgorithmName, weight: number): void {
    this.spoken.set(algorithm, (this.spoken.get(algorithm) ?? (this.spoken.size === 0 ? weight : 0)) + weight);
  }

  get messages(): ImportedMessage[] {
    return [...this.#messages.values()].flat().sort((a, b) => a.source === b.source ? a.line - b.line : 0);
  }

  get skipped(): Skipped[] {
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
    this.taken++;
    const list = this.#messages.get(kind) ?? [];
    if (list.length < MAX_MESSAGES_PER_KIND) {
      const own = structuredClone(text.trim().slice(0, MAX_MESSAGE_TEXT));
      list.push({
        kind,
        text: own,
        value,
        train_step: this.records.lastStep,
        source: this.source.path,
        line,
        count: 1,
      });
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
    this.taken++;
    this.settings.push({
      name: own,
      option: findOption(own, system),
      value: typeof value === "string" ? structuredClone(value.slice(0, 2000)) : value,
      written_type: writtenType,
      system,
      source: this.source.path,
      line,
      column,
      run: this.#run,
    });
  }

  claim(claim: Claim): void {
    const own = this.#said(this.claims.length, claim, "claims");
    if (own !== null) this.claims.push({ ...claim, ...own });
  }

  tell(value: ToldValue): void {
    const own = this.#said(this.told.length, value, "numbers in prose");
    if (own !== null) this.told.push({ ...value, ...own });
  }

  #said(count: number, { line, text }: Claim | ToldValue, what: string) {
    this.taken++;
    if (count < MAX_CLAIMS) return { text: structuredClone(text.slice(0, MAX_MESSAGE_TEXT)), source: this.source.path };
    this.skip(line, `more than ${MAX_CLAIMS} ${what}`);
    return null;
  }

  /** Tables of a run of ours, whole or in pieces: they are its rows as they stand, with nothing to recognise. */
  takeTables(tables: RunRows["tables"]): void {
    for (const [name, table] of Object.entries(tables) as [TableName, ColumnTable][]) {
      this.tables.set(name, [...(this.tables.get(name) ?? []), table]);
      this.source.records += table.numRows();
      this.taken++;
    }
  }

  /** A completion; what its source does not say is absent. */
  completion(row: Pick<ImportedCompletion, "line" | "text"> & Partial<ImportedCompletion>): ImportedCompletion | null {
    if (this.completions.length >= MAX_COMPLETIONS) {
      this.skip(row.line, `more than ${MAX_COMPLETIONS} completions`);
      return null;
    }
    const own = (text: string | null = null) => text && structuredClone(text.slice(0, MAX_COMPLETION_TEXT));
    this.source.records++;
    this.taken++;
    const taken: ImportedCompletion = {
      ...NOTHING_SAID,
      ...row,
      train_step: isTrainStep(row.train_step ?? NaN) ? row.train_step! : null,
      source: this.source.path,
      text: own(row.text)!,
      cut: row.cut === true || row.text.length > MAX_COMPLETION_TEXT,
      prompt: own(row.prompt),
      answer: own(row.answer),
    };
    this.completions.push(taken);
    return taken;
  }

  /** Takes the staged record: metrics, an evaluation or settings. False where it is none of them. */
  commit(how: Commit): boolean {
    const { stage } = this, { step, epoch, evals, strong, mapped, options, isSummary } = this.#names(how);
    if (isSummary) {
      this.records.progress.summary = this.#summary();
      return true;
    }
    // A configuration says how often to evaluate, and has no train step or epoch yet.
    const isConfigured = options > 1 && options >= evals && Number.isNaN(step) && Number.isNaN(epoch);
    const isRecord = strong > 0 || evals > 0 && !isConfigured || how.metrics === true && stage.count > 0 ||
      mapped >= 2 && mapped >= options && !Number.isNaN(epoch) ||
      isMeasured(stage, !Number.isNaN(step), how.parent);
    if (!isRecord) return options > 0 && this.#settings(options, how);
    const { line, rank, weak = false } = how, record = { step, epoch, line, rank, weak };
    if (how.evaluation === true || evals > 0 && strong === 0) this.records.add("evals", record, () => true);
    else {
      this.records.add("train", record, ({ isEval }) => !isEval);
      if (evals > 0) this.records.add("evals", record, ({ isEval }) => isEval);
    }
    this.source.records++;
    this.taken++;
    return true;
  }

  /** What the names of the staged record are, in numbers; its train step and epoch, NaN where none is printed. */
  #names(how: Commit) {
    const { count, infos, values, texts } = this.stage;
    const found = { step: how.step ?? NaN, epoch: NaN, evals: 0, strong: 0, mapped: 0, options: 0, isSummary: false };
    for (let i = 0; i < count; i++) {
      const info = infos[i]!;
      if (info.isEval) found.evals++;
      else if (info.isStrong) found.strong++;
      if (info.mapped) found.mapped++;
      if (info.isOption && !info.isStrong) found.options++;
      if (info.isStep) {
        if (!isTrainStep(found.step)) found.step = values[i]!;
        this.textNames.add(info.printed);
      } else if (info.column === "epoch") found.epoch = values[i]!;
      if (info.printed === "train_runtime") found.isSummary = true;
    }
    for (const { name, value } of texts) {
      if (name === "global_step/max_steps") found.step = parseInt(value, 10);
      if (this.textNames.size < 500) this.textNames.add(name);
    }
    return isTrainStep(found.step) ? found : { ...found, step: NaN };
  }

  /** What the staged summary of transformers' Trainer says of the updates that were made; null where it does not. */
  #summary(): Summary | null {
    const { count, infos, values } = this.stage;
    const valueOf = (name: string) => values[infos.findIndex(({ printed }, i) => i < count && printed === name)] ?? NaN;
    const [seconds, rate, epoch] = [valueOf("train_runtime"), valueOf("train_steps_per_second"), valueOf("epoch")];
    // Both are printed with three decimals, or four digits.
    const error = 6e-4 / rate + 1e-3;
    return seconds * rate > 0 && epoch > 0 ? { updates: seconds * rate, error, epoch } : null;
  }

  /** Takes the staged row of a table of metrics; says so where none of its names is known. */
  commitRow(line: number): void {
    if (!this.commit({ line, metrics: true })) this.skip(line, "a row without a known metric");
  }

  /** Takes the staged record as settings, where two options at least are known: `options` numbers, and its texts. */
  #settings(options: number, { line, parent }: Commit): boolean {
    const { stage } = this;
    if (options + stage.texts.filter(({ name }) => findOption(name, null) !== null).length < 2) return false;
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
}
