/** The one view of a run, made from its tables: live, stored, exported, or another system's. @module */
import type { ColumnTable } from "arquero";
import type { LogFacts, PrintedColumn, RunRows } from "../../../data/run_rows.ts";
import { columnArray, rowObjects } from "../../../data/tables/mod.ts";
import type { RowOf } from "../../../data/tables/row_of.ts";
import { completionRows } from "./completion_rows.ts";
import { type Judged, judgedRows } from "./phases.ts";
import { oneScale } from "./one_scale.ts";
import { scoresOf } from "./scores.ts";
import type { TableName } from "../../../data/columns.ts";
import type { Place } from "./evidence.ts";
import type { Cells } from "./numbers.ts";
import { type Message, RunView, type Setting } from "./run_view.ts";
import type { SaidOf } from "./said_of.ts";

/** Columns of `metrics` that are no metrics. */
const NOT_NUMBERS = new Set(["train_step", "phase", "step_id", "source", "line"]);

/**
 * Of a run of ours the rows of its last trainer are read: rollouts, preferences or a reward model, with the supervised
 * warm start beside them (`warmStart`); where it has nothing else, that. Of a foreign log every row is read. Rows of the
 * last train steps alone are not the whole run.
 */
export function tableView({ tables, log }: RunRows, isWhole = true): RunView {
  const own = log === null, { metrics, completions } = tables;
  const { phase, rows, before } = own ? judgedRows(metrics, completions) : everyRow(metrics);
  const supervised = phase === "sft", settings = settingRows(tables.settings, own);
  const printed = columnsOf(metrics, rows), trained = own ? null : oneScale(printed);
  const asked = own ? validationRecords(metrics, rows) : evaluationRecords(log.evaluations);
  const tested = own || asked === null ? null : oneScale(asked.columns);
  const evaluations = asked === null || tested === null ? asked : { ...asked, columns: tested.columns };
  return new RunView({
    system: own ? "nonzero" : log.system,
    algorithm: own ? algorithmOf(phase, settings, cellsOf(metrics, "preference_accuracy", rows)) : log.algorithm,
    imported: !own,
    isPost: log?.isPost ?? false,
    isWhole,
    trainSteps: cellsOf(metrics, "train_step", rows) as number[],
    stepsPrinted: own || log.stepsPrinted,
    columns: trained?.columns ?? printed,
    scaleChanges: { trained: trained?.changes ?? new Map(), tested: tested?.changes ?? new Map() },
    sampledKl: own ? sampledKl(tables, rows) : [],
    decimals: new Map(own ? [] : [...log.printed].map(([name, { decimals }]) => [name, decimals])),
    ...(evaluations === null ? {} : { evaluations }),
    scores: own && tables.evaluations !== undefined ? scoresOf(tables.evaluations, tables.prompts) : [],
    rewardStdScope: own ? "batch" : log.rewardStdScope,
    settings: supervised ? settings.map(supervisedName) : settings,
    messages: messageRows(tables.messages, own),
    claims: claimRows(tables.claims),
    completions: own && phase !== "rollout" ? [] : completionRows(completions, own),
    verifier: own ? verifierOf(tables.prompts) : null,
    warmStart: own && !supervised ? warmStartView(metrics, before, settings) : null,
    lacks: own ? absentTables(tables, rows.length > 0 && phase === "rollout", settings) : [],
    told: (column, record) => log?.told?.get(column)?.get(record) ?? null,
    place: own ? () => ({ table: "metrics", source: null, line: null }) : (column, record) => ({
      ...(log.told?.get(column)?.get(record) ?? writtenAt(metrics, rows[record])),
      ...printedAs(log.printed.get(column)),
    }),
  });
}

/** The verifier that all prompts name; null where they name several, or a tag outside of which nothing is read. */
function verifierOf(prompts: ColumnTable | undefined): string | null {
  if (prompts === undefined || prompts.numRows() === 0 || !prompts.column("verifier")) return null;
  const valuesOf = (name: string) =>
    prompts.column(name) ? [...new Set(Array.from(columnArray(prompts, name) as ArrayLike<string | null>))] : [];
  const names = valuesOf("verifier"),
    isTagged = valuesOf("answer_tag").some((tag) => tag !== null && tag !== undefined);
  return names.length === 1 && !isTagged ? names[0] ?? null : null;
}

function everyRow(metrics: ColumnTable | undefined): Judged {
  return { phase: "rollout", rows: Array.from({ length: metrics?.numRows() ?? 0 }, (_, row) => row), before: [] };
}

/**
 * What rules call the trainer; `compute_advantages` and `train_preferences` say which. An export of the metrics alone
 * does not: there the share of pairs in order, which only DPO has, tells preferences apart.
 */
function algorithmOf(phase: Judged["phase"], settings: readonly Setting[], ofPairs: Cells): string {
  if (phase === "sft" || phase === "reward_model") return phase;
  const named = estimatorOf(settings);
  if (phase === "rollout") return named ?? "grpo";
  return named ?? (ofPairs.some((share) => share !== null) ? "dpo" : "kto");
}

/** The supervised updates before the rollouts; null where there were none. Its rate is known when its rows are not. */
function warmStartView(
  metrics: ColumnTable | undefined,
  rows: readonly number[],
  settings: readonly Setting[],
): RunView | null {
  if (rows.length === 0 && !settings.some(({ name }) => name === "sft_learning_rate")) return null;
  const own = settings.filter(({ option }) => option === null || !SUPERVISED.has(option)).map(supervisedName);
  return new RunView({
    system: "nonzero",
    algorithm: "sft",
    imported: false,
    trainSteps: cellsOf(metrics, "train_step", rows) as number[],
    columns: columnsOf(metrics, rows),
    settings: own,
    place: () => ({ table: "metrics", source: null, line: null }),
  });
}

/** Rules about texts, groups and options are silent without these: such a run is not called healthy. */
function absentTables(tables: RunRows["tables"], hasRollouts: boolean, settings: readonly Setting[]): TableName[] {
  const several = settings.some(({ name, value }) => name === "updates_per_rollout" && Number(value) > 1);
  const wanted: readonly TableName[] = hasRollouts
    ? ["completions", "settings", ...(several && tables.metrics?.column("kl") ? ["updates"] as const : [])]
    : ["settings"];
  return wanted.filter((name) => (tables[name]?.numRows() ?? 0) === 0);
}

function columnsOf(metrics: ColumnTable | undefined, rows: readonly number[]): Map<string, Cells> {
  const names = metrics?.columnNames().filter((name) => !NOT_NUMBERS.has(name)) ?? [];
  return new Map(names.map((name) => [name, cellsOf(metrics, name, rows)]));
}

/**
 * The KL at the first of a train step's several updates: the metric is a mean over what they moved. Where the loss has no
 * KL, the updates have none, and the metric is measured before them.
 */
function sampledKl({ updates, metrics }: RunRows["tables"], rows: readonly number[]) {
  const first = new Map<number | null, number | null>(), several = new Set<number | null>();
  const all = Array.from({ length: updates?.numRows() ?? 0 }, (_, row) => row);
  const [trainSteps, numbers, kl] = ["train_step", "update", "kl"].map((name) => cellsOf(updates, name, all));
  trainSteps!.forEach((trainStep, row) => {
    if (numbers![row] === 1) first.set(trainStep, kl![row]!);
    else several.add(trainStep);
  });
  const means = cellsOf(metrics, "kl", rows);
  return cellsOf(metrics, "train_step", rows).map((trainStep, record) => {
    const own = first.get(trainStep), value = own ?? means[record] ?? null;
    if (own === undefined || value === null || !several.has(trainStep)) return null;
    return { table: own === null ? "metrics" as const : "updates" as const, value };
  });
}

function cellsOf(table: ColumnTable | undefined, name: string, rows: readonly number[]): (number | null)[] {
  if (!table?.column(name)) return rows.map(() => null);
  const values = columnArray(table, name) as ArrayLike<number | null>;
  if (Array.isArray(values) && isRange(rows)) {
    return rows.length === values.length ? values : values.slice(rows[0], rows.at(-1)! + 1);
  }
  return rows.map((row) => values[row] ?? null);
}

/** Ascending rows without a gap, one at least. */
const isRange = (rows: readonly number[]) => rows.length > 0 && rows.at(-1)! - rows[0]! + 1 === rows.length;

/** File and line of a row of a foreign log. */
function writtenAt(table: ColumnTable | undefined, row: number | undefined): Pick<Place, "source" | "line"> {
  if (row === undefined || !table?.column("source")) return { source: null, line: null };
  return { source: String(columnArray(table, "source")[row]), line: cellsOf(table, "line", [row])[0] ?? null };
}

/** Name and factor of a column of a foreign log; one that follows from others was not printed. */
function printedAs(column: PrintedColumn | undefined): Pick<Place, "printed" | "factor"> {
  if (column === undefined) return {};
  const { names: [printed], factor } = column;
  return { ...(printed === undefined ? {} : { printed }), ...(factor === undefined ? {} : { factor }) };
}

/** What `train_preferences` measures on the split validation, under the names of what it measures in training. */
const VALIDATION = { preference_accuracy: "validation_accuracy", reward_margin: "validation_margin" } as const;

function validationRecords(metrics: ColumnTable | undefined, rows: readonly number[]) {
  const names = Object.entries(VALIDATION);
  const measured = rows.filter((row) => names.some(([, name]) => cellsOf(metrics, name, [row])[0] !== null));
  return measured.length === 0 ? null : {
    trainSteps: cellsOf(metrics, "train_step", measured) as number[],
    columns: new Map<string, Cells>(names.map(([column, name]) => [column, cellsOf(metrics, name, measured)])),
    place: (column: string): Place => ({
      table: "metrics",
      source: null,
      line: null,
      printed: VALIDATION[column as keyof typeof VALIDATION],
    }),
  };
}

function evaluationRecords({ table, printed, told }: LogFacts["evaluations"]) {
  const rows = Array.from({ length: table.numRows() }, (_, row) => row);
  return {
    trainSteps: cellsOf(table, "train_step", rows) as number[],
    columns: columnsOf(table, rows),
    told: (column: string, record: number) => told?.get(column)?.get(record) ?? null,
    place: (column: string, record: number) => ({
      ...(told?.get(column)?.get(record) ?? writtenAt(table, record)),
      ...printedAs(printed.get(column)),
    }),
  };
}

/** The estimator in force; null where no step wrote it down. */
function estimatorOf(settings: readonly Setting[]): string | null {
  const named = settings.find((entry) => entry.name === "algorithm")?.value;
  return typeof named === "string" ? named : null;
}

/** Options that `fine_tune` has of its own, `sft_` before their names. */
const SUPERVISED: ReadonlySet<string> = new Set(["learning_rate", "max_grad_norm", "epsilon"]);

/** `fine_tune` writes its options under their own names, beside those of the updates that follow. */
function supervisedName(setting: Setting): Setting {
  const option = /^sft_(.+)$/.exec(setting.name)?.[1];
  return option === undefined || !SUPERVISED.has(option) ? setting : { ...setting, option };
}

/** Rows of a small table, each with where it is written. */
function placed<Name extends "settings" | "messages">(
  table: ColumnTable | undefined,
  name: Name,
  own: boolean,
): (RowOf<Name> & Place)[] {
  const rows = (table === undefined ? [] : rowObjects(table)) as RowOf<Name>[];
  return rows.map((row) => own ? { ...row, table: name, source: null, line: null } : row) as (RowOf<Name> & Place)[];
}

function settingRows(table: ColumnTable | undefined, own: boolean): Setting[] {
  return placed(table, "settings", own).map((row) => {
    const value: unknown = JSON.parse(row.value);
    // JSON lacks NaN and Infinity.
    return { ...row, value: row.written_type === "number" && typeof value === "string" ? Number(value) : value };
  });
}

/** What was recognised besides numbers, such as the first tensor that is not finite. */
function messageRows(table: ColumnTable | undefined, own: boolean): Message[] {
  return placed(table, "messages", own).map(({ train_step, ...row }) => ({
    ...row,
    value: row.value ?? null,
    trainStep: train_step ?? null,
    count: row.count ?? 1,
  }));
}

function claimRows(table: ColumnTable | undefined): SaidOf[] {
  const rows = (table === undefined ? [] : rowObjects(table)) as RowOf<"claims", "value" | "from" | "to">[];
  return rows.map(({ by, ...row }) => ({ ...row, counts: by === "author" && !row.elsewhere }));
}
