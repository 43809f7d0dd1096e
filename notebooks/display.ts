/** Shows charts, tables and anything with a picture of its own in a Jupyter cell of the Deno kernel. @module */
import { ColumnTable } from "arquero";
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
 * Displays a chart, a table, a text, whatever shows itself, or a bundle, and waits a moment: output that arrives after the kernel says it is idle is
 * dropped by nbclient in 7 to 11 % of fast cells, so a cell ends with `await show(…)`. `update` replaces what was shown
 * under the same `id`.
 */
export async function show(
  value: string | object | Promise<string | object>,
  { id, update = false }: { readonly id?: string; readonly update?: boolean } = {},
): Promise<void> {
  const bundle = await bundleOf(await value);
  await jupyter().display(bundle, { raw: true, ...(id === undefined ? {} : { display_id: id, update }) });
  await new Promise((resolve) => setTimeout(resolve, 10));
}

async function bundleOf(value: string | object): Promise<Bundle> {
  if (typeof value === "string") return { "text/plain": value };
  if (JUPYTER_DISPLAY in value) return await (value as Shown)[JUPYTER_DISPLAY]();
  if (isTable(value)) return tableBundle(value);
  // A Vega-Lite specification of one's own: its keys are no MIME types, and a viewer would draw nothing and say nothing.
  if ("$schema" in value || "mark" in value || "layer" in value) return { "application/vnd.vegalite.v5+json": value };
  const strange = Object.keys(value).find((type) => !/^[\w.+-]+\/[\w.+-]+$/.test(type));
  if (strange === undefined) return value as Bundle;
  throw new TypeError(
    `Cannot show it: "${strange}" is no MIME type; want a chart, a table, a text, a Vega-Lite specification, or a bundle ` +
      "by MIME type",
  );
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
