/** Turns a chart and rows into a complete Vega-Lite specification, or into SVG. @module */
import * as vega from "vega";
import * as vegaLite from "vega-lite";
import { type Chart, PALETTE, PHASE, type Row, type Spec } from "./charts/chart.ts";
import { captionOf, panels, phaseName, phasesOf } from "./phases.ts";

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
  // Flush labels stand beside their line: at the top and bottom of y they would name a value they are not at.
  axisY: { labelFlush: false },
  legend: { labelColor: PALETTE.ink, labelFontSize: 11, labelLimit: 220, padding: 0, offset: 8 },
  header: { labelColor: PALETTE.ink },
  title: { color: PALETTE.ink, anchor: "start", fontSize: 13, fontWeight: 600 },
};

const FRAME: Spec = { $schema: "https://vega.github.io/schema/vega-lite/v6.json", config: CONFIG };
const SIZE = { width: 420, height: 190 };

/**
 * The chart's specification with its rows inside, ready for any Vega-Lite viewer. Rows are reduced to the chart's columns;
 * those without a value of it are left out; the phases of a run stand side by side. In a row, an absent value is left out
 * and one that was computed and is not finite is null, which leaves a gap. Throws a RangeError naming columns that are
 * missing.
 */
export function chartSpec(chart: Chart, rows: readonly Row[], size = SIZE): Spec {
  const present = new Set(rows.flatMap((row) => Object.keys(row)));
  const missing = chart.columns.filter((column) => !present.has(column));
  if (missing.length) {
    throw new RangeError(
      `Cannot draw "${chart.title}": table "${chart.reads}" has no column ${missing.map((m) => `"${m}"`).join(", ")}`,
    );
  }
  const measured = chart.columns.filter((column) => column !== "train_step");
  const drawn = rows.filter((row) => measured.some((column) => (row[column] ?? null) !== null));
  const phases = phasesOf(drawn), several = phases.length > 1;
  const there = measured.filter((column) => drawn.some((row) => (row[column] ?? null) !== null));
  const spec = chart.spec(new Set(there.length ? there : measured));
  const values = drawn.map((row) => ({
    ...Object.fromEntries(chart.columns.flatMap((c) => (row[c] ?? null) === null ? [] : [[c, finiteOrNull(row[c])]])),
    ...(several ? { [PHASE]: phaseName(row[PHASE]) } : {}),
  }));
  const data = { description: captionOf(chart, drawn), data: { values } };
  return several
    ? { ...FRAME, ...data, ...panels(spec, phases, chart.sharedScale ?? false, size) }
    : finishSpec({ ...data, ...spec }, size);
}

/** Adds schema, size and our configuration to a specification. */
export function finishSpec(spec: Spec, size = SIZE): Spec {
  return { ...FRAME, ...size, ...spec };
}

/** JSON knows no NaN. */
function finiteOrNull(value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? null : value;
}

/** Labels that Vega keeps from overlapping: they stay in its SVG, and not every viewer knows that they are invisible. */
const HIDDEN_LABELS = /<text [^>]*opacity="0"[^>]*>[^<]*<\/text>/g;

/** Renders a Vega-Lite specification to an SVG text. Needs no permission. */
export async function toSvg(spec: Spec): Promise<string> {
  const logger = vega.logger(vega.Error);
  // deno-lint-ignore no-explicit-any
  const compiled = vegaLite.compile(spec as any, { logger: logger as any }).spec;
  const view = new vega.View(vega.parse(compiled), { renderer: "none", logger });
  const svg = await view.toSVG();
  view.finalize();
  return svg.replace(HIDDEN_LABELS, "");
}
