/** Reads a text as if it were a file or standard input: what the adapter tests start from. */
import assert from "node:assert/strict";
import type { ColumnTable } from "arquero";
import { readRun } from "../../../data/adapters/read_run.ts";
import type { ImportedCompletion, ImportedMessage, ImportedRun } from "../../../data/adapters/run/imported_run.ts";
import type { PrintedColumn } from "../../../data/run_rows.ts";

type Cells = (number | null)[];

/** Records with the arrays of their table apart. */
interface Shown {
  readonly rows: number;
  readonly train_step: number[];
  readonly source: string[];
  readonly line: number[];
  readonly columns: ReadonlyMap<string, Cells>;
  readonly printed: ReadonlyMap<string, PrintedColumn>;
}

/** A run whose tables are taken apart, so that a test can name what it looks at. */
export interface ShownRun extends ImportedRun {
  readonly metrics: Shown;
  readonly evaluations: Shown;
  readonly messages: readonly ImportedMessage[];
  readonly completions: readonly ImportedCompletion[];
}

export function shown(run: ImportedRun): ShownRun {
  const { tables, log } = run.rows;
  return {
    ...run,
    metrics: records(tables.metrics, log?.printed),
    evaluations: records(log?.evaluations.table, log?.evaluations.printed),
    messages: objects(tables.messages) as unknown as ImportedMessage[],
    completions: objects(tables.completions).map(withRewards),
  };
}

function records(table: ColumnTable | undefined, printed: ReadonlyMap<string, PrintedColumn> = new Map()): Shown {
  const names = table?.columnNames() ?? [];
  const cells = (name: string) => names.includes(name) ? Array.from(table!.array(name) as Cells) : [];
  const others = names.filter((name) => !["train_step", "source", "line", "phase", "step_id"].includes(name));
  return {
    rows: table?.numRows() ?? 0,
    train_step: cells("train_step") as number[],
    source: cells("source") as unknown as string[],
    line: cells("line") as number[],
    columns: new Map(others.map((name) => [name, cells(name)])),
    printed,
  };
}

const objects = (table: ColumnTable | undefined) =>
  (table?.objects({ limit: Infinity }) ?? []) as Record<string, unknown>[];

function withRewards(row: Record<string, unknown>): ImportedCompletion {
  const rewards = Object.entries(row).flatMap(([name, value]) =>
    name.startsWith("reward.") && value !== undefined ? [[name.slice("reward.".length), value] as const] : []
  );
  return { ...row, rewards: new Map(rewards) } as unknown as ImportedCompletion;
}

/** All runs of a text on standard input. */
export async function readTexts(text: string | Uint8Array): Promise<ShownRun[]> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const runs = await readRun(["-"], { stdin: new Blob([bytes as Uint8Array<ArrayBuffer>]).stream() });
  return runs.map(shown);
}

/** The only run of a text on standard input. */
export async function readText(text: string | Uint8Array): Promise<ShownRun> {
  const runs = await readTexts(text);
  assert.equal(runs.length, 1);
  return runs[0]!;
}

/** The only run of files in a folder of their own. */
export async function readFiles(files: Record<string, string | Uint8Array>, alone = false): Promise<ShownRun> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, content] of Object.entries(files)) {
      const parts = name.split("/");
      if (parts.length > 1) await Deno.mkdir(`${folder}/${parts.slice(0, -1).join("/")}`, { recursive: true });
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      await Deno.writeFile(`${folder}/${name}`, bytes);
    }
    const runs = await readRun([alone ? `${folder}/${Object.keys(files)[0]}` : folder]);
    assert.equal(runs.length, 1);
    return shown(runs[0]!);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A column of the wide view as plain values. */
export function column(run: ShownRun, name: string): Cells | undefined {
  return run.metrics.columns.get(name);
}
