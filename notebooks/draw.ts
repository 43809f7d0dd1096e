/** Turns a chart and rows into a complete Vega-Lite specification, or into SVG. @module */
import * as vega from "vega";
import * as vegaLite from "vega-lite";
import { type Chart, type ChartTables, PHASE, type Row, type Spec, THINNED } from "./charts/chart.ts";
import { inTheme, PALETTE, type Theme } from "./charts/palette.ts";
import { cannotDrawText, chooseSource } from "./choose_source.ts";
import { checkDrawOptions } from "./draw_options.ts";
import { withFindings } from "./findings_strip.ts";
import { plainText } from "./plain_text.ts";
import { itemWidth } from "./text_width.ts";
import { captionOf, panels, phaseName, phasesOf } from "./phases.ts";

// Without a canvas Vega guesses; the pages' own Vega measures by the browser's.
(vega as unknown as { textMetrics: { width: typeof itemWidth } }).textMetrics.width = itemWidth;

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
    labelFlush: true,
  },
  axisQuantitative: { format: ".6~g" },
  axisX: { grid: false, labelSeparation: 5 },
  // Flush labels stand beside their line: at the top and bottom of y they would name a value they are not at.
  axisY: { labelFlush: false },
  legend: {
    labelColor: PALETTE.ink,
    titleColor: PALETTE.muted,
    labelFontSize: 11,
    labelLimit: 220,
    padding: 0,
    offset: 8,
  },
  header: { labelColor: PALETTE.ink },
  title: { color: PALETTE.ink, anchor: "start", fontSize: 13, fontWeight: 600 },
};

const FRAME: Spec = { $schema: "https://vega.github.io/schema/vega-lite/v6.json", config: CONFIG };
const SIZE = { width: 420, height: 190 };
/** Room beside the drawing, in its units: an axis, which a view alone counts into its width, and long labels. */
const AXIS = 50, LABELS = 110;

/** How a chart is drawn. */
export interface DrawOptions {
  readonly width?: number;
  readonly height?: number;
  /** Colours for a light or a dark screen; light where absent, which a page turns into its own. */
  readonly theme?: Theme;
  /** Rows of the table `findings`, laid under the chart. */
  readonly findings?: readonly Row[];
}

/**
 * The chart's specification with its rows inside, ready for any Vega-Lite viewer: from the table that tells most of the
 * run; the phases of a run stand side by side. In a row, an absent value is left out and one that was computed and is
 * not finite is null, which leaves a gap. Throws a RangeError naming the columns that
 * are missing, or an option that is none.
 */
export function chartSpec(chart: Chart, tables: ChartTables, options: DrawOptions = {}): Spec {
  checkDrawOptions(options);
  const chosen = chooseSource(chart, tables);
  if (chosen === null) throw new RangeError(cannotDrawText(chart, tables));
  const { source, measured, rows } = chosen;
  const phases = phasesOf(rows), several = phases.length > 1;
  const size = { width: options.width ?? SIZE.width, height: options.height ?? SIZE.height };
  const keys = source.rows ? null : new Set(measured);
  const drawing = source.spec(measured, rows), found = source.elsewhere ? [] : options.findings ?? [];
  const laid = withFindings(drawing, rows, found, size.height);
  const named = (row: Row) => several ? { [PHASE]: phaseName(row[PHASE]) } : {};
  const values = [
    ...rows.map((row) => ({ ...cleaned(row, keys), ...named(row) })),
    ...(laid?.rows ?? []).map((row) => ({ ...cleaned(row, null), ...named(row) })),
  ];
  const data = { description: captionOf(chart, rows, source), data: { values } };
  const spec = laid?.spec ?? drawing;
  const whole = several
    ? { ...FRAME, ...data, ...panels(spec, phases, chart.sharedScale ?? false, size) }
    : finishSpec({ ...data, ...spec }, size);
  const { theme = "light" } = options;
  return theme === "light" ? whole : JSON.parse(inTheme(JSON.stringify(whole), theme));
}

/** A row without absent values, of the columns in `keys` alone where given; JSON knows no NaN. */
function cleaned(row: Row, keys: ReadonlySet<string> | null): Row {
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (name === PHASE || value === null || value === undefined || keys && !keys.has(name) && name !== THINNED) {
      continue;
    }
    out[name] = typeof value === "number" && !Number.isFinite(value) ? null : value;
  }
  return out;
}

/** Adds schema, size and our configuration to a specification. */
export function finishSpec(spec: Spec, { width, height } = SIZE): Spec {
  const views = spec["vconcat"] as readonly Spec[] | undefined;
  return views
    ? { ...FRAME, ...spec, vconcat: views.map((view) => ({ width: width - LABELS, height, ...view })) }
    : { ...FRAME, width: width + AXIS, height, autosize: { type: "fit-x", contains: "padding" }, ...spec };
}

/** Labels that Vega keeps from overlapping: they stay in its SVG, and not every viewer knows that they are invisible. */
const HIDDEN_LABELS = /<text [^>]*opacity="0"[^>]*>[^<]*<\/text>/g;

/**
 * Renders a Vega-Lite specification to an SVG text. Needs no permission. What Vega warns of is given to `warn`, which
 * keeps still where absent; what it calls an error is thrown.
 */
export async function toSvg(spec: Spec, warn: (text: string) => void = () => {}): Promise<string> {
  const logger = vega.logger(vega.Warn, undefined, (_method, _level, args) => warn(args.map(String).join(" ")));
  // deno-lint-ignore no-explicit-any
  const compiled = vegaLite.compile(spec as any, { logger: logger as any }).spec;
  const view = new vega.View(vega.parse(compiled), { renderer: "none", logger });
  const svg = await view.toSVG();
  view.finalize();
  return plainText(svg.replace(HIDDEN_LABELS, ""));
}
