/** Records of a run that was resumed: what it did after the checkpoint, and did again, counts once. @module */
import { firstFrom, type RawTable } from "../intake/raw_table.ts";
import { NONE } from "../intake/stage.ts";
import type { RowOf } from "../../tables/row_of.ts";

/** A place where a log goes back to a checkpoint and on from there. */
export interface Resume {
  readonly source: number;
  /** Lines of the first record that is replaced, and of the one that replaces it. */
  readonly from: number;
  readonly line: number;
  /** The train step that it goes on at, or the epoch where the log prints no steps. */
  readonly at: number;
  readonly byEpoch: boolean;
  readonly replaced: number;
}

/** Records looked at per record, until the order of a log counts as none. */
const EFFORT = 64;
/** Values of records that do not count that are kept of each table. */
const MOST_OBSERVATIONS = 20_000;

/** The records of one table: those that count, and those that were made again. */
interface Resumed {
  readonly table: RawTable;
  readonly replaced: readonly RawTable[];
  readonly resumes: readonly Resume[];
}

/** The records without those that a resume replaces, and where it did; the same table where none did. */
export function resumed(table: RawTable): Resumed {
  const epochs = cellsOf(table, "epoch"), byEpoch = table.step.every((step) => Number.isNaN(step));
  const at = byEpoch ? filled(epochs) : table.step, rows = at.length;
  const kept: number[] = [], marked = new Uint8Array(rows), resumes: Resume[] = [];
  for (let row = 0, effort = EFFORT * rows; row < rows; row++) {
    const before = kept.at(-1);
    if (before !== undefined && at[row]! < at[before]! && table.source[row] === table.source[before]) {
      const old = [];
      for (let i = kept.length - 1; i >= 0 && at[kept[i]!]! >= at[row]! && effort > 0; i--, effort--) {
        old.push(kept[i]!);
      }
      const goesBack = byEpoch || !(epochs[row]! >= epochs[before]!);
      if (effort > 0 && goesBack && isAgain(table, at, old, row)) {
        kept.length -= old.length;
        for (const one of old) marked[one] = 1;
        resumes.push({
          source: table.source[row]!,
          from: table.line[old.at(-1)!]!,
          line: table.line[row]!,
          at: at[row]!,
          byEpoch,
          replaced: old.length,
        });
      }
    }
    kept.push(row);
  }
  return { ...parted(table, marked), resumes };
}

/**
 * What a run did before it went back so far that fewer records are left than were replaced, and the resume: few new records
 * must not hide what many old ones show. Null where no resume replaced so much.
 */
export function beforeResume(table: RawTable): { readonly table: RawTable; readonly resume: Resume } | null {
  const { resumes, table: { rows } } = resumed(table);
  const resume = resumes.toSorted((a, b) => b.replaced - a.replaced)[0];
  if (resume === undefined || resume.replaced <= rows) return null;
  return { table: table.without(isFrom(table, resume)), resume };
}

/** Marks the records from a resume on. */
export function isFrom(table: RawTable, { source, line }: Resume): Uint8Array {
  return Uint8Array.from(table.line, (at, row) => table.source[row] === source && at >= line ? 1 : 0);
}

function parted(table: RawTable, marked: Uint8Array): Omit<Resumed, "resumes"> {
  if (!marked.includes(1)) return { table, replaced: [] };
  return { table: table.without(marked), replaced: [table.without(marked.map((mark) => 1 - mark))] };
}

/** The evaluations without those of the records that were replaced, and those that go back by themselves. */
export function resumedEvaluations(table: RawTable, resumes: readonly Resume[]): Omit<Resumed, "resumes"> {
  const marked = Uint8Array.from(table.step, (step, row) => {
    const line = table.line[row]!;
    const isReplaced = (resume: Resume) =>
      resume.source === table.source[row] && line < resume.line &&
      (resume.byEpoch || Number.isNaN(step) ? line >= resume.from : step >= resume.at);
    return resumes.some(isReplaced) ? 1 : 0;
  });
  const first = parted(table, marked), then = resumed(first.table);
  return { table: then.table, replaced: [...first.replaced, ...then.replaced] };
}

/** Rows of `observations` of records that do not count: each printed value, where it is written; of very many the first. */
export function observationsOf(
  tables: readonly RawTable[],
  paths: readonly string[],
): RowOf<"observations", "column" | "train_step" | "value" | "decimals" | "rank">[] {
  return tables.flatMap((table) =>
    table.columns.flatMap(({ info, rows, values, decimals }) =>
      rows.slice(0, Math.ceil(MOST_OBSERVATIONS / table.columns.length)).map((row, i) => ({
        source: paths[table.source[row]!]!,
        line: table.line[row]!,
        name: info.printed,
        column: info.mapped ? info.column : null,
        train_step: Number.isNaN(table.step[row]!) ? null : table.step[row]!,
        value: decimals[i] === NONE ? null : values[i]!,
        decimals: decimals[i]! < 0 ? null : decimals[i]!,
        rank: table.rank[row]! < 0 ? null : table.rank[row]!,
      }))
    )
  ).sort((a, b) => a.line - b.line);
}

/** Whether the records from `row` on are those of `old` again: at one train step at least, and with a column of theirs. */
function isAgain(table: RawTable, at: readonly number[], old: readonly number[], row: number): boolean {
  const steps = new Set(old.map((one) => at[one]!));
  let end = row, repeats = table.thinned > 0; // the record of the same step may have been thinned out
  for (; end < at.length && (end === row || at[end]! >= at[end - 1]!); end++) repeats ||= steps.has(at[end]!);
  if (!repeats) return false;
  const first = old.at(-1)!, last = old[0]!;
  return table.columns.some(({ rows, info }) =>
    info.column !== "epoch" && hasWithin(rows, first, last + 1) && hasWithin(rows, row, end)
  );
}

/** Whether one of ascending rows is at least `from` and before `to`. */
const hasWithin = (rows: readonly number[], from: number, to: number) => rows[firstFrom(rows, from)]! < to;

/** The cells of a column by our name; NaN where there is none. */
export function cellsOf(table: RawTable, name: string): number[] {
  const cells = new Array<number>(table.rows).fill(NaN);
  for (const { info, rows, values, decimals } of table.columns) {
    if (info.column === name) rows.forEach((row, i) => decimals[i] === NONE ? null : cells[row] = values[i]!);
  }
  return cells;
}

/** A record without a number has that of the one before it. */
function filled(cells: readonly number[]): number[] {
  let last = NaN;
  return cells.map((cell) => last = Number.isNaN(cell) ? last : cell);
}
