/**
 * From the compact store to the wide view that rules read: one dense array per column.
 * @module
 */
import type { WideTable } from "./imported_run.ts";
import type { RawColumn, RawTable } from "../intake/raw_table.ts";

/** Prefers the name that is the column's own, then the one with more values. */
function order(a: RawColumn, b: RawColumn): number {
  const own = (column: RawColumn) => column.info.printed === column.info.column ? 1 : 0;
  return own(b) - own(a) || b.count - a.count;
}

/** transformers 4 rounds `loss` to four decimals before it prints or stores it. */
function roundedLoss(values: readonly (number | null)[]): boolean {
  return values.every((v) => v === null || !Number.isFinite(v) || Math.abs(v * 1e4 - Math.round(v * 1e4)) < 1e-6);
}

/** Joins the tables of one run (one after the other) into the wide view. */
export function wideTable(tables: readonly RawTable[]): WideTable {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const stepPrinted = tables.every((table) => table.step.every((step) => !Number.isNaN(step)));
  const wide: WideTable = {
    rows,
    train_step: [],
    step_printed: stepPrinted,
    source: [],
    line: [],
    columns: new Map(),
    decimals: new Map(),
    printed: new Map(),
    extremes: new Map(),
    thinned: tables.reduce((sum, table) => sum + table.thinned, 0),
  };
  let offset = 0;
  for (const table of tables) {
    for (let row = 0; row < table.rows; row++) {
      wide.train_step.push(Number.isNaN(table.step[row]!) ? offset + row + 1 : table.step[row]!);
      wide.source.push(table.source[row]!);
      wide.line.push(table.line[row]!);
    }
    for (const column of [...table.columns].sort(order)) {
      const { column: name, mul, printed } = column.info;
      let values = wide.columns.get(name);
      if (values === undefined) wide.columns.set(name, values = new Array(rows).fill(null));
      let fewest = wide.decimals.get(name) ?? Infinity, full = fewest === Infinity;
      for (let i = 0; i < column.rows.length; i++) {
        const row = offset + column.rows[i]!, decimals = column.decimals[i]!;
        if (values[row] !== null || decimals === -2) continue;
        values[row] = column.values[i]! * mul;
        if (decimals >= 0) {
          fewest = Math.min(fewest, decimals);
          full = false;
        }
      }
      wide.decimals.set(name, full || fewest === Infinity ? null : mul === 1 ? fewest : null);
      const names = wide.printed.get(name) ?? [];
      if (!names.includes(printed)) names.push(printed);
      wide.printed.set(name, names);
      const ends = wide.extremes.get(name) ?? { min: Infinity, max: -Infinity };
      wide.extremes.set(name, { min: Math.min(ends.min, column.min * mul), max: Math.max(ends.max, column.max * mul) });
    }
    offset += table.rows;
  }
  const loss = wide.columns.get("loss");
  if (
    loss !== undefined && wide.printed.get("loss")!.includes("loss") && (wide.decimals.get("loss") ?? null) === null
  ) {
    if (roundedLoss(loss)) wide.decimals.set("loss", 4);
  }
  // Where only the policy-gradient part is printed (verl, OpenRLHF), it is the loss a reader looks for.
  if (loss === undefined && wide.columns.has("policy_loss")) {
    wide.columns.set("loss", wide.columns.get("policy_loss")!);
    wide.decimals.set("loss", wide.decimals.get("policy_loss") ?? null);
    wide.printed.set("loss", wide.printed.get("policy_loss")!);
    wide.extremes.set("loss", wide.extremes.get("policy_loss")!);
  }
  return wide;
}
