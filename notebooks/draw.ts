/** Turns a chart and rows into a complete Vega-Lite specification, or into SVG. @module */
import * as vega from "vega";
import * as vegaLite from "vega-lite";
import { type Chart, PALETTE, type Spec } from "./charts/chart.ts";

export type Row = Readonly<Record<string, unknown>>;

const FONT = "Inter, system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif";

const CONFIG: Spec = {
  background: "transparent",
  font: FONT,
  view: { stroke: null },
  axis: {
    labelColor: PALETTE.muted,
    titleColor: PALETTE.muted,
    titleFontWeight: "normal",
    titleFontSize: 11,
    labelFontSize: 11,
    gridColor: PALETTE.grid,
    domainColor: PALETTE.grid,
    tickColor: PALETTE.grid,
    tickCount: 5,
    format: ".6~g",
    labelFlush: true,
  },
  axisX: { grid: false },
  legend: { labelColor: PALETTE.ink, labelFontSize: 11, labelLimit: 220, padding: 0, offset: 4 },
  title: { color: PALETTE.ink, anchor: "start", fontSize: 13, fontWeight: 600 },
};

/**
 * The chart's specification with its rows inside, ready for any Vega-Lite viewer. Rows are reduced to the chart's columns.
 * Throws a RangeError naming the columns that are missing.
 */
export function chartSpec(chart: Chart, rows: readonly Row[], size = { width: 420, height: 190 }): Spec {
  const present = new Set(rows.flatMap((row) => Object.keys(row)));
  const missing = chart.columns.filter((column) => !present.has(column));
  if (missing.length) {
    throw new RangeError(
      `Cannot draw "${chart.title}": table "${chart.reads}" has no column ${missing.map((m) => `"${m}"`).join(", ")}`,
    );
  }
  const values = rows.map((row) => Object.fromEntries(chart.columns.map((c) => [c, finiteOrNull(row[c])])));
  return finishSpec({ description: chart.about, data: { values }, ...chart.spec }, size);
}

/** Adds schema, size and our configuration to a specification. */
export function finishSpec(spec: Spec, size = { width: 420, height: 190 }): Spec {
  return { $schema: "https://vega.github.io/schema/vega-lite/v6.json", ...size, config: CONFIG, ...spec };
}

/** JSON knows no NaN; a chart leaves a gap for both. */
function finiteOrNull(value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? null : value ?? null;
}

/** Renders a Vega-Lite specification to an SVG text. Needs no permission. */
export async function toSvg(spec: Spec): Promise<string> {
  const logger = vega.logger(vega.Error);
  // deno-lint-ignore no-explicit-any
  const compiled = vegaLite.compile(spec as any, { logger: logger as any }).spec;
  const view = new vega.View(vega.parse(compiled), { renderer: "none", logger });
  const svg = await view.toSVG();
  view.finalize();
  return svg;
}
