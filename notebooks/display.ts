/** Shows charts and tables in a Jupyter cell of the Deno kernel. @module */
import type { ColumnTable } from "arquero";
import type { Chart, Row, Spec } from "./charts/chart.ts";
import { type ChartName, CHARTS } from "./charts/mod.ts";
import { chartSpec, toSvg } from "./draw.ts";

/** What a Jupyter viewer is given: one entry per MIME type. */
export type Bundle = Readonly<Record<string, unknown>>;

/**
 * The viewers' bundle of a chart. JupyterLab and VS Code register Vega-Lite 5 only, so the schema line says v5; no
 * text/html, which would win over the chart.
 */
export async function chartBundle(chart: Chart | ChartName, rows: ColumnTable | readonly Row[]): Promise<Bundle> {
  const definition = typeof chart === "string" ? CHARTS[chart] : chart;
  const spec: Spec = chartSpec(definition, "objects" in rows ? rows.objects() as Row[] : rows);
  return {
    "application/vnd.vegalite.v5+json": { ...spec, $schema: "https://vega.github.io/schema/vega-lite/v5.json" },
    "image/svg+xml": await toSvg(spec),
    "text/plain": `[${definition.title}] ${definition.about}`,
  };
}

/** The viewers' bundle of a table. */
export function tableBundle(table: ColumnTable, limit = 20): Bundle {
  return { "text/html": table.toHTML({ limit }), "text/plain": `[table of ${table.numRows()} rows]` };
}

/**
 * Displays a bundle and waits a moment: output that arrives after the kernel says it is idle is dropped by nbclient
 * in 7 to 11 % of fast cells, so a cell ends with `await show(…)`.
 */
export async function show(bundle: Bundle | Promise<Bundle>): Promise<void> {
  await jupyter().display(await bundle, { raw: true });
  await new Promise((resolve) => setTimeout(resolve, 10));
}

// deno-lint-ignore no-explicit-any
function jupyter(): any {
  try { // outside a kernel, reading the property throws
    // deno-lint-ignore no-explicit-any
    return (Deno as any).jupyter;
  } catch (cause) {
    throw new TypeError("Cannot show a chart: this is not a Jupyter cell; use notebooks/draw.ts for SVG", { cause });
  }
}
