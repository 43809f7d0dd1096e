/**
 * Tables of a run of ours that were exported to another format: recognised by their columns, read with their types.
 * @module
 */
import { type ColumnType, type TableName, TABLES } from "../../columns.ts";
import { tableOf } from "../../tables/mod.ts";
import type { Intake } from "./intake.ts";

/** Columns that no other system's file has together. */
const MARKS = {
  metrics: ["train_step", "phase", "step_id"],
  completions: ["train_step", "prompt_id", "sample", "text"],
  groups: ["train_step", "prompt_id", "generation_batch", "passed"],
  kept: ["train_step", "prompt_id", "sample", "generation_batch"],
  settings: ["name", "value", "written_type"],
  messages: ["train_step", "kind", "text"],
  evaluations: ["train_step", "step_id", "mode", "prompt_id", "correct"],
  prompts: ["prompt_id", "prompt", "split"],
  preferences: ["preference_id", "prompt", "split"],
  updates: ["train_step", "update", "applied"],
  gradients: ["train_step", "parameter", "update_norm"],
  claims: ["subject", "predicate", "throughout"],
  findings: ["train_step", "cause", "codes", "evidence"],
  observations: ["train_step", "decimals", "rank"],
} as const satisfies Record<TableName, readonly string[]>;

/** Tables that a diagnosis reads; the others of an export are passed over. */
const READ: ReadonlySet<TableName> = new Set([
  "metrics",
  "updates",
  "completions",
  "settings",
  "messages",
  "evaluations",
  "prompts",
]);

/** Long columns of `completions` that no rule reads. */
const UNREAD: ReadonlySet<string> = new Set([
  "token_ids",
  "old_logprobs",
  "ref_logprobs",
  "sampler_logprobs",
  "values",
  "returns",
]);

/** Which table of ours has these columns, or null. */
export function ownTable(columns: readonly string[]): TableName | null {
  for (const [name, marks] of Object.entries(MARKS) as [TableName, readonly string[]][]) {
    if (marks.every((mark) => columns.includes(mark)) && columns.every((column) => isOf(name, column))) return name;
  }
  return null;
}

/** A task has columns of its own in `prompts`, a run one per reward function in `completions`. */
function isOf(table: TableName, column: string): boolean {
  return Object.hasOwn(TABLES[table], column) || table === "prompts" ||
    ((table === "completions" || table === "evaluations") && column.startsWith("reward."));
}

/** Takes the rows of one exported table into an intake. */
export class OwnRows {
  readonly #types = new Map<string, ColumnType>();
  #columns = new Map<string, unknown[]>();
  #rows = 0;
  #trainStep: unknown = null;

  /** The rows of an export of ours, by its columns; null for another table. */
  static of(columns: readonly string[]): OwnRows | null {
    const name = ownTable(columns);
    return name === null ? null : new OwnRows(name, columns);
  }

  constructor(readonly name: TableName, columns: readonly string[]) {
    const known: Readonly<Record<string, { readonly type: ColumnType }>> = TABLES[name];
    for (const column of READ.has(name) ? columns : []) {
      if (name === "completions" && UNREAD.has(column)) continue;
      const type = known[column]?.type ?? (name === "completions" ? "float32" : null);
      if (type !== null) this.#types.set(column, type);
    }
    this.#clear();
  }

  /** The columns that are taken: no other needs to be read. */
  get columns(): readonly string[] {
    return [...this.#types.keys()];
  }

  /** One row; a value is of its type, or the text that CSV and JSON have for it. */
  add(row: Readonly<Record<string, unknown>>): void {
    if (!READ.has(this.name)) return;
    const trainStep = cell("int32", row["train_step"]);
    // Rules look at the completions of the last train step: the others need not be kept.
    if (this.name === "completions" && trainStep !== this.#trainStep) this.#clear();
    this.#trainStep = trainStep;
    for (const [column, type] of this.#types) this.#columns.get(column)!.push(cell(type, row[column]));
    this.#rows++;
  }

  /** Hands the table over; a second file of the same table is left out and said so. */
  finish(intake: Intake): void {
    intake.mark("nonzero", `the columns of our table "${this.name}"`);
    if (!READ.has(this.name)) return;
    if (intake.tables.has(this.name)) return intake.skip(null, `a second file of the table "${this.name}"`);
    const filled = this.#rows === 0 ? {} : Object.fromEntries(this.#columns);
    intake.takeTables({ [this.name]: tableOf(this.name, filled) });
  }

  #clear(): void {
    this.#columns = new Map([...this.#types.keys()].map((column) => [column, []]));
    this.#rows = 0;
  }
}

function cell(type: ColumnType, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type.startsWith("list<")) {
    const list: unknown = typeof value === "string" ? value === "" ? null : JSON.parse(value) : value;
    if (list === null) return null;
    return type === "list<utf8>" ? list : Array.from(list as ArrayLike<unknown>, Number);
  }
  if (type === "bool") return value === "" ? null : value === true || value === "true";
  if (type === "utf8" || type === "category" || type === "json") return String(value);
  return value === "" ? null : Number(value);
}
