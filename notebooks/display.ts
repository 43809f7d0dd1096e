/** Shows charts, tables and anything with a picture of its own in a Jupyter cell of the Deno kernel. @module */
import { ColumnTable, table as tableOf } from "arquero";
import { plainTable } from "./plain_table.ts";

/** What a Jupyter viewer is given: one entry per MIME type. */
export type Bundle = Readonly<Record<string, unknown>>;

/** Where Deno's kernel looks for the bundle of a value. */
export const JUPYTER_DISPLAY = Symbol.for("Jupyter.display");

/** What says itself how it is shown. */
export interface Shown {
  [JUPYTER_DISPLAY](): Bundle | Promise<Bundle>;
}

/** The viewers' bundle of a table: its first rows, and how many there are. Long texts are cut, line ends are kept. */
export function tableBundle(table: ColumnTable, limit = 20): Bundle {
  const rows = table.numRows(), columns = table.numCols();
  const note = rows > limit ? `<p>${rows} rows × ${columns} columns; the first ${limit} are shown</p>` : "";
  const shown = table.objects({ limit }) as Record<string, unknown>[];
  const isText = (name: string) => shown.some((row) => typeof row[name] === "string");
  const format = Object.fromEntries(table.columnNames().filter(isText).map((name) => [name, clipped]));
  const style = (name: string, index: number) =>
    String(shown[index]?.[name]).includes("\n") ? "white-space: pre-wrap" : "";
  return {
    "text/html": table.toHTML({ limit, null: cellText, format, style: { td: style } }) + note,
    "text/plain": plainTable(table),
  };
}

/** Letters of a text that a cell shows: a reader of tables looks at how it begins. */
const MOST_LETTERS = 400;

function clipped(value: unknown): string {
  const text = String(value), rest = text.length - MOST_LETTERS;
  return rest > 0 ? `${text.slice(0, MOST_LETTERS)}… (${rest} more)` : text;
}

/** Absent values are empty: "null" and "undefined" in every second cell would hide what is there. */
const cellText = (value: unknown) => value === null || value === undefined ? "" : String(value);

/** From here on a cell that ends with a table shows it as `show` does, and not the object that holds it. */
export function tablesShowThemselves(): void {
  Object.defineProperty(ColumnTable.prototype, JUPYTER_DISPLAY, {
    value(this: ColumnTable): Bundle {
      return tableBundle(this);
    },
    configurable: true,
  });
}

/**
 * Displays a chart, a table, rows (`run.findings`), several tables by name, a text, a bundle, whatever shows itself or any
 * plain value, and waits a moment: output that arrives after the kernel says it is idle is dropped by nbclient in 7 to 11 % of fast cells, so a cell ends with `await show(…)`. `update` replaces what was shown
 * under the same `id`.
 */
export async function show(
  value: unknown,
  { id, update = false }: { readonly id?: string; readonly update?: boolean } = {},
): Promise<void> {
  const bundle = await bundleOf(await value);
  await jupyter().display(bundle, { raw: true, ...(id === undefined ? {} : { display_id: id, update }) });
  await new Promise((resolve) => setTimeout(resolve, 10));
}

async function bundleOf(value: unknown): Promise<Bundle> {
  if (typeof value === "string") return { "text/plain": value };
  if (typeof value !== "object" || value === null) return plain(value);
  if (JUPYTER_DISPLAY in value) return await (value as Shown)[JUPYTER_DISPLAY]();
  if (isTable(value)) return tableBundle(value);
  if (Array.isArray(value)) return rowsBundle(value);
  // A Vega-Lite specification of one's own: its keys are no MIME types, and a viewer would draw nothing and say nothing.
  if ("$schema" in value || "mark" in value || "layer" in value) return { "application/vnd.vegalite.v5+json": value };
  const types = Object.keys(value), strange = types.find((type) => !MIME.test(type));
  if (strange === undefined && types.length > 0) return value as Bundle;
  if (!types.some((type) => MIME.test(type))) return tablesBundle(value) ?? plain(value);
  throw new TypeError(
    `Cannot show it: "${strange}" is no MIME type; want a chart, a table, a text, a Vega-Lite specification, or a bundle ` +
      "by MIME type",
  );
}

const MIME = /^[\w.+-]+\/[\w.+-]+$/;

const plain = (value: unknown): Bundle => ({ "text/plain": Deno.inspect(value) });

/** Rows as a table of all the columns that any of them has; a list of anything else as the kernel prints it. */
function rowsBundle(rows: readonly unknown[]): Bundle {
  if (rows.length === 0) return { "text/plain": "no rows" };
  if (!rows.every((row) => typeof row === "object" && row !== null && !Array.isArray(row))) return plain(rows);
  const objects = rows as readonly Readonly<Record<string, unknown>>[];
  const names = [...new Set(objects.flatMap((row) => Object.keys(row)))];
  return tableBundle(tableOf(names.map((name) => [name, objects.map((row) => row[name] ?? null)])));
}

/** Rows of each of several tables. */
const FEW = 5;

/** Several tables, each with rows below its name; null of anything else. The first tells: reading others may be slow. */
function tablesBundle(value: object): Bundle | null {
  const first: unknown = Reflect.get(value, Object.keys(value)[0] ?? "");
  if (typeof first !== "object" || first === null || !isTable(first)) return null;
  const named = Object.entries(value).filter(([, table]) => isTable(table) && table.numRows() > 0);
  if (named.length === 0) return { "text/plain": "no rows" };
  const bundles = named.map(([name, table]) => [name, tableBundle(table, FEW)] as const);
  return {
    "text/html": bundles.map(([name, bundle]) => `<h4>${name}</h4>${bundle["text/html"]}`).join("\n"),
    "text/plain": bundles.map(([name, bundle]) => `${name}\n${bundle["text/plain"]}`).join("\n\n"),
  };
}

function isTable(value: object): value is ColumnTable {
  return "toHTML" in value && "numRows" in value;
}

/** Whether this program is a cell of Deno's kernel. */
export function isNotebook(): boolean {
  try {
    return jupyter() !== undefined;
  } catch {
    return false;
  }
}

/** Where something that stands in for the kernel puts itself: Deno does not let `Deno.jupyter` be replaced. */
export const KERNEL = Symbol.for("nonzero.kernel");

// deno-lint-ignore no-explicit-any
function jupyter(): any {
  const standIn = (globalThis as Record<symbol, unknown>)[KERNEL];
  if (standIn !== undefined) return standIn;
  try { // outside a kernel, reading the property throws
    // deno-lint-ignore no-explicit-any
    return (Deno as any).jupyter;
  } catch (cause) {
    throw new TypeError(
      "Cannot show it: this is not a cell of Deno's Jupyter kernel; use .svg() or .png() of a chart, .print() of a table",
      { cause },
    );
  }
}
