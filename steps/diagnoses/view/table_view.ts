/** The view of a run of ours, from its tables: what the step `diagnose` looks at every train step. @module */
import type { ColumnTable } from "arquero";
import type { OptionName } from "../../../data/options.ts";
import { type Cells, type Completion, type Message, RunView, type Setting } from "./run_view.ts";

export interface OwnTables {
  /** A window of `metrics` (at most 128 train steps keep the cost of all rules below a millisecond). */
  readonly metrics: ColumnTable;
  /** Completions of the current train step. */
  readonly completions?: ColumnTable;
  /** The settings in force, by our option names. */
  readonly options?: Readonly<Partial<Record<OptionName, unknown>>>;
  readonly messages?: readonly Message[];
  readonly evaluations?: { readonly trainSteps: readonly number[]; readonly columns: ReadonlyMap<string, Cells> };
  readonly algorithm?: string | null;
  /** How many completions are read; texts cost more than numbers. */
  readonly mostCompletions?: number;
}

function cellsOf(table: ColumnTable, name: string): (number | null)[] {
  const values = table.array(name) as ArrayLike<unknown>;
  return Array.from(values, (value) => typeof value === "number" ? value : value === true ? 1 : null);
}

/** Columns that hold numbers; `phase` and `step_id` are text. */
function columnsOf(table: ColumnTable): Map<string, Cells> {
  const columns = new Map<string, Cells>();
  for (const name of table.columnNames()) {
    if (name === "train_step" || name === "phase" || name === "step_id") continue;
    columns.set(name, cellsOf(table, name));
  }
  return columns;
}

function completionsOf(table: ColumnTable, most: number): Completion[] {
  const count = Math.min(most, table.numRows());
  const read = (name: string) => table.columnNames().includes(name) ? table.array(name) as ArrayLike<unknown> : null;
  const number = (values: ArrayLike<unknown> | null, row: number) =>
    typeof values?.[row] === "number" ? values[row] as number : null;
  const text = (values: ArrayLike<unknown> | null, row: number) =>
    typeof values?.[row] === "string" ? values[row] as string : null;
  const names = [
    "train_step",
    "prompt_id",
    "prompt",
    "text",
    "answer",
    "truncated",
    "completion_tokens",
    "reward",
    "advantage",
  ] as const;
  const column = Object.fromEntries(names.map((name) => [name, read(name)])) as Record<
    typeof names[number],
    ArrayLike<unknown> | null
  >;
  const rewards = table.columnNames().filter((name) => name.startsWith("reward.")).map((name) =>
    [name.slice(7), read(name)] as const
  );
  return Array.from({ length: count }, (_, row) => ({
    source: null,
    line: null,
    trainStep: number(column.train_step, row),
    promptId: number(column.prompt_id, row) ?? row,
    prompt: text(column.prompt, row),
    text: text(column.text, row) ?? "",
    answer: text(column.answer, row),
    truncated: typeof column.truncated?.[row] === "boolean" ? column.truncated[row] as boolean : null,
    tokens: number(column.completion_tokens, row),
    reward: number(column.reward, row),
    rewards: Object.fromEntries(rewards.map(([name, values]) => [name, number(values, row)])),
    advantage: number(column.advantage, row),
  }));
}

/** Builds the view. Rows of the supervised phase are not mixed with rollouts: pass one phase at a time. */
export function tableView(tables: OwnTables): RunView {
  const settings: Setting[] = Object.entries(tables.options ?? {}).flatMap(([option, value]) =>
    value === undefined || value === null
      ? []
      : [{ option, name: option, value, writtenType: typeof value, system: "nonzero", source: null, line: null }]
  );
  return new RunView({
    system: "nonzero",
    algorithm: tables.algorithm ?? null,
    imported: false,
    trainSteps: cellsOf(tables.metrics, "train_step").map((step) => step ?? 0),
    columns: columnsOf(tables.metrics),
    settings,
    messages: tables.messages,
    completions: tables.completions === undefined
      ? []
      : completionsOf(tables.completions, tables.mostCompletions ?? 128),
    evaluations: tables.evaluations,
    rewardStdScope: "batch",
    place: () => null,
  });
}
