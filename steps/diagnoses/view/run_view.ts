/**
 * What a diagnosis sees of a run, ours or imported: columns over records, settings, messages, completions.
 *
 * Columns are plain arrays so that all rules together cost well under a millisecond on a window of 128 train steps.
 * Names are those of `data/columns.ts` (metrics); `reward.<name>` and `reward_std.<name>` are the mean and the deviation
 * of one reward function. `null` = absent, NaN = a computed NaN.
 * @module
 */
import { type CutSteps, LISTED } from "../../../data/listed_train_steps.ts";
import type { TableName } from "../../../data/columns.ts";
import type { RewardStdScope, ToldPlace } from "../../../data/run_rows.ts";
import type { RowOf } from "../../../data/tables/row_of.ts";
import { asPrinted, type Evidence, type Place, placeOf } from "./evidence.ts";
import { type Implied, impliedColumn } from "./implied.ts";
import { type Cells, finiteOf, isNumber, show } from "./numbers.ts";
import { inPercent, type ScaleChange } from "./one_scale.ts";
import type { SaidOf } from "./said_of.ts";
import type { ScoreSeries } from "./score_series.ts";

type SettingRow = RowOf<"settings", "option" | "written_type" | "system">;
type MessageRow = RowOf<"messages", "value">;
type CompletionRow = RowOf<"completions", "prompt" | "answer" | "truncated" | "reward" | "advantage">;

/** A row of `settings`, its value read. */
export interface Setting extends Place, Readonly<Pick<SettingRow, "name" | "option" | "written_type">> {
  readonly value: unknown;
  /** Whose option it is; "model" for a file of the model folder. */
  readonly system?: SettingRow["system"];
}

/** A row of `messages`. */
export interface Message extends Place, Readonly<Pick<MessageRow, "kind" | "text" | "value">> {
  readonly trainStep: number | null;
  /** How many lines of this kind there were. */
  readonly count?: number;
}

/** A row of `completions`. A reward that is null was printed as None or NaN; one that was not printed has no key. */
export interface Completion
  extends Place, Readonly<Pick<CompletionRow, "prompt" | "answer" | "text" | "truncated" | "reward" | "advantage">> {
  readonly trainStep: number | null;
  /** Number of the prompt's group within its train step. */
  readonly promptId: number;
  /** Only part of the text was printed. */
  readonly cut?: boolean;
  readonly tokens: number | null;
  readonly rewards: Readonly<Record<string, number | null>>;
  /** Runs of ours: what the task's verifier says, whatever is rewarded. */
  readonly correct?: boolean | null;
  /** Runs of ours: tokens that count in the loss. */
  readonly lossTokens?: number;
}

/** What a view holds as it is given, where it is given. */
type Given =
  | "isPost"
  | "system"
  | "algorithm"
  | "settings"
  | "messages"
  | "claims"
  | "completions"
  | "stepsPrinted"
  | "rewardStdScope";

/** What a view is made of. */
interface RunParts
  extends
    Pick<RunView, "imported" | "trainSteps" | "columns">,
    Partial<Pick<RunView, Given | "scaleChanges" | "scores" | "lacks" | "verifier" | "warmStart" | "isWhole">> {
  /** Runs of ours: per record of several updates, the KL of the policy that sampled, nats per token, and its table. */
  readonly sampledKl?: readonly ({ readonly table: TableName; readonly value: number } | null)[];
  /** Decimals printed per column; absent or null = full precision. */
  readonly decimals?: ReadonlyMap<string, number | null>;
  /** Evaluation records: their train steps and columns. */
  readonly evaluations?: {
    readonly trainSteps: readonly number[];
    readonly columns: ReadonlyMap<string, Cells>;
    readonly place?: (column: string, record: number) => Place | null;
    readonly told?: (column: string, record: number) => ToldPlace | null;
  };
  /** Where the cell of a column at a record is written. */
  readonly place?: (column: string, record: number) => Place | null;
  /** How a cell is told in prose; null of one that is printed, or empty. */
  readonly told?: (column: string, record: number) => ToldPlace | null;
}

const NO_CELLS: Cells = [];

export class RunView {
  readonly system: string | null;
  readonly algorithm: string | null;
  /** True for a foreign log, false for a run of ours. */
  readonly imported: boolean;
  /** True of a post: few records and many words may be all there is. */
  readonly isPost: boolean;
  readonly trainSteps: readonly number[];
  readonly columns: ReadonlyMap<string, Cells>;
  readonly settings: readonly Setting[];
  readonly messages: readonly Message[];
  /** What people say of it in prose; none of a log or of a run of ours. */
  readonly claims: readonly SaidOf[];
  readonly completions: readonly Completion[];
  /** True if the steps were printed; false if they are record numbers. */
  readonly stepsPrinted: boolean;
  /** Whether `reward_std` is measured within groups or over the batch. */
  readonly rewardStdScope: RewardStdScope;
  readonly evaluationSteps: readonly number[];
  /** Evaluations of a run of ours, one series per set of prompts and mode. */
  readonly scores: readonly ScoreSeries[];
  /** Tables that a run of ours has and these rows have not. */
  readonly lacks: readonly TableName[];
  /** The one verifier of the prompts of a run of ours, where it reads whole completions; else null. */
  readonly verifier: string | null;
  /** The supervised warm start before the rollouts of a run of ours. */
  readonly warmStart: RunView | null;
  /** False for the last train steps of a run that goes on: no course of it can be seen in them. */
  readonly isWhole: boolean;
  /** Columns of records and of evaluations that a log prints in percent on some, which is read as shares here. */
  readonly scaleChanges: {
    readonly trained: ReadonlyMap<string, ScaleChange>;
    readonly tested: ReadonlyMap<string, ScaleChange>;
  };
  readonly #parts: RunParts;
  readonly #memo = new Map<string, unknown>();
  readonly #cut = new WeakMap<readonly number[], CutSteps>();
  /** Columns that rules have asked for: as printed, or what implies them. */
  readonly #asked = new Map<string, { readonly cells: Cells; readonly implied: Implied | null }>();

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.system = parts.system ?? null;
    this.algorithm = parts.algorithm ?? null;
    this.imported = parts.imported;
    this.isPost = parts.isPost ?? false;
    this.trainSteps = parts.trainSteps;
    this.columns = parts.columns;
    this.scaleChanges = parts.scaleChanges ?? { trained: new Map(), tested: new Map() };
    this.settings = parts.settings ?? [];
    this.messages = parts.messages ?? [];
    this.claims = parts.claims ?? [];
    this.completions = parts.completions ?? [];
    this.stepsPrinted = parts.stepsPrinted ?? !parts.imported;
    this.rewardStdScope = parts.rewardStdScope ?? (parts.imported ? "unknown" : "batch");
    this.evaluationSteps = parts.evaluations?.trainSteps ?? [];
    this.scores = parts.scores ?? [];
    this.lacks = parts.lacks ?? [];
    this.verifier = parts.verifier ?? null;
    this.warmStart = parts.warmStart ?? null;
    this.isWhole = parts.isWhole ?? true;
  }

  get records(): number {
    return this.trainSteps.length;
  }

  /** The cells of a column, one per record, as printed or as they follow from what is; an empty array for neither. */
  column(name: string): Cells {
    return this.#ask(name).cells;
  }

  #ask(name: string) {
    const known = this.#asked.get(name);
    if (known !== undefined) return known;
    const printed = this.columns.get(name) ?? NO_CELLS;
    const implied = this.prints(name) ? null : impliedColumn(this, name);
    const asked = { cells: implied?.cells ?? printed, implied };
    this.#asked.set(name, asked);
    return asked;
  }

  /** True if the log prints the column, at least once; what follows from others does not count. */
  prints(name: string): boolean {
    return this.columns.get(name)?.some((value) => value !== null) ?? false;
  }

  /** The KL at a record before its own updates moved the policy, with the row that shows it; null where none says. */
  sampledKl(record: number): (Evidence & { readonly value: number }) | null {
    const known = this.#parts.sampledKl?.[record] ?? null;
    return known && { ...known, source: null, line: null, train_step: this.trainSteps[record] ?? null, name: "kl" };
  }

  /** The finite values of a column, in order. */
  finite(name: string): readonly number[] {
    return this.memo(`finite ${name}`, () => finiteOf(this.column(name)));
  }

  stepsAt(records: readonly number[]): number[] {
    return records.map((record) => this.trainSteps[record]!);
  }

  /** The train steps from a record on, as many as a finding lists. */
  stepsFrom(record: number): readonly number[] {
    const whole = this.trainSteps.slice(record), listed = whole.slice(0, LISTED);
    if (whole.length > LISTED) this.#cut.set(listed, { count: whole.length, until: whole.at(-1)! });
    return listed;
  }

  /** What such a list would be if it were whole; undefined for one that is. */
  cutFrom(listed: readonly number[]): CutSteps | undefined {
    return this.#cut.get(listed);
  }

  /** Names of the columns on evaluation records. */
  get evaluated(): readonly string[] {
    return [...this.#parts.evaluations?.columns.keys() ?? []];
  }

  /** The same column on evaluation records. */
  evaluation(name: string): Cells {
    return this.#parts.evaluations?.columns.get(name) ?? NO_CELLS;
  }

  /** True if the column has at least one value (NaN counts). */
  has(name: string): boolean {
    return this.column(name).some((value) => value !== null);
  }

  /** Decimals printed, or null for full precision; of a column that follows from others the fewest of theirs. */
  decimals(name: string): number | null {
    const decimals = (this.#ask(name).implied?.from ?? [name]).flatMap((one) => this.#parts.decimals?.get(one) ?? []);
    return decimals.length === 0 ? null : Math.min(...decimals);
  }

  /** Half of the last printed digit: a value printed as 0.000 may be up to this. */
  rounding(name: string): number {
    const decimals = this.decimals(name);
    return decimals === null ? 0 : 0.5 * 10 ** -decimals;
  }

  /** The row that shows a column's value at a record; of a column that is not printed, what implies it. */
  evidence(name: string, record: number, note?: string): Evidence {
    const { implied, cells } = this.#ask(name), place = this.#parts.place?.(implied?.from[0] ?? name, record) ?? null;
    const told = this.toldAt(implied?.from[0] ?? name, record);
    const said = [
      ...note === undefined ? [] : [note],
      ...implied === null ? [] : [this.#impliedBy(implied, record)],
      ...inPercent(this.scaleChanges.trained.get(name), record),
      ...told === null ? [] : ["as told"],
    ];
    return {
      ...placeOf(place),
      train_step: told === null ? this.trainSteps[record] ?? null : told.trainStep,
      name: implied === null ? place?.printed ?? name : name,
      value: implied === null ? asPrinted(cells[record] ?? null, place) : cells[record] ?? null,
      ...(said.length === 0 ? {} : { note: said.join("; ") }),
    };
  }

  /** True if a person tells the cell in prose, and no log prints it. */
  isTold(name: string, record: number): boolean {
    return this.toldAt(name, record) !== null;
  }

  /** How a person tells the cell, or null. */
  toldAt(name: string, record: number): ToldPlace | null {
    return this.#parts.told?.(name, record) ?? null;
  }

  /** The same of an evaluation record. */
  evaluationToldAt(name: string, record: number): ToldPlace | null {
    return this.#parts.evaluations?.told?.(name, record) ?? null;
  }

  #impliedBy({ from }: Implied, record: number): string {
    const shown = from.map((name) => {
      const value = this.columns.get(name)?.[record];
      return `${this.#parts.place?.(name, record)?.printed ?? name} = ${isNumber(value) ? show(value) : "absent"}`;
    });
    return `implied by ${shown.join(" and ")}`;
  }

  /** The same of an evaluation record. */
  evaluationEvidence(name: string, record: number): Evidence {
    const place = this.#parts.evaluations?.place?.(name, record) ?? null;
    const told = this.evaluationToldAt(name, record);
    const said = [...inPercent(this.scaleChanges.tested.get(name), record), ...told === null ? [] : ["as told"]];
    return {
      ...placeOf(place),
      train_step: told === null ? this.evaluationSteps[record] ?? null : told.trainStep,
      name: place?.printed ?? `eval_${name}`,
      value: asPrinted(this.evaluation(name)[record] ?? null, place),
      ...(said.length === 0 ? {} : { note: said.join("; ") }),
    };
  }

  /** Computes once per view and key. */
  memo<T>(key: string, compute: () => T): T {
    if (!this.#memo.has(key)) this.#memo.set(key, compute());
    return this.#memo.get(key) as T;
  }
}

/** The train step of a line or a completion, as a finding wants it; none where it is not known. */
export function stepOf({ trainStep }: Message | Completion): number[] {
  return trainStep === null ? [] : [trainStep];
}
