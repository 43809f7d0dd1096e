/** The charts of a page: each as a picture, and what the page needs to draw it again for other train steps. @module */
import * as vegaLite from "vega-lite";
import { type Chart, type ChartTables, PHASE, type Row, type Source, type Spec, THINNED } from "../charts/chart.ts";
import { type ChartName, CHARTS } from "../charts/mod.ts";
import { chooseSource } from "../choose_source.ts";
import { chartSpec, toSvg } from "../draw.ts";
import { phaseName } from "../phases.ts";
import { thinRows } from "../thin_rows.ts";
import { figure } from "./parts.ts";

/** A chart as the page draws it: a Vega specification without rows, for one phase and for several. */
interface PageChart {
  readonly name: string;
  readonly title: string;
  /** Over train steps: hovered, brushed and linked. */
  readonly stepped: boolean;
  /** Columns of the page's rows that it draws; null where it has rows of its own. */
  readonly columns: readonly string[] | null;
  readonly values: readonly Row[] | null;
  /** Its own rows are made of `metrics`: new train steps alone change them. */
  readonly fromMetrics: boolean;
  /** Has something to click: drawn as a live view, not as a picture. */
  readonly clicked: boolean;
  readonly plain: Spec;
  readonly phased: Spec | null;
}

/** What a page is given to draw its charts again. */
export interface PageData {
  /** Columns of the rows of all train steps; "NaN" is a value that is not finite, null an absent one. */
  readonly columns: Readonly<Record<string, readonly unknown[]>>;
  readonly charts: readonly PageChart[];
  readonly completions: readonly Row[];
}

/** Names of the charts that tables have the columns of, in the order of the page. */
export function drawnCharts(tables: ChartTables): (readonly [string, Chart])[] {
  return Object.entries<Chart>(CHARTS).filter(([, chart]) => chooseSource(chart, tables) !== null);
}

/** The picture of a chart under its title. */
export async function chartFigure(name: string, chart: Chart, tables: ChartTables): Promise<string> {
  const { source, measured, rows } = chooseSource(chart, tables)!;
  // Of the rows that have a value: those of a phase that has none would leave an empty panel its place.
  const thinned = source.rows ? thinMade(rows) : thinRows(rows, columnsOf(measured));
  const spec = chartSpec(
    { ...chart, sources: [{ ...source, rows: () => drawnOf(source, measured, rows, thinned) }] },
    tables,
  );
  return figure(chart.title, String(spec["description"]), await toSvg(spec), name);
}

/** A median is of all train steps: where one is drawn, rows that are not kept are marked, and else left out. */
function drawnOf(
  { spec }: Source,
  measured: ReadonlySet<string>,
  all: readonly Row[],
  kept: readonly Row[],
): readonly Row[] {
  if (kept.length === all.length || !JSON.stringify(spec(measured, all)).includes(`datum.${THINNED}`)) return kept;
  const drawn = new Set(kept);
  return all.map((row) => drawn.has(row) ? row : { ...row, [THINNED]: true });
}

const columnsOf = (measured: ReadonlySet<string>) => [...measured].filter((column) => column !== "train_step");

/** Rows that were made for a drawing over train steps, each series by itself: those of a heat map are few already. */
function thinMade(rows: readonly Row[]): readonly Row[] {
  if (rows[0]?.["train_step"] === undefined || rows[0]["from"] !== undefined) return rows;
  const columns = Object.keys(rows[0]).filter((name) => name !== "train_step" && typeof rows[0]![name] === "number");
  const kept = new Set(
    [...Map.groupBy(rows, (row) => row["label"]).values()].flatMap((series) => thinRows(series, columns)),
  );
  return rows.filter((row) => kept.has(row));
}

/** What the page draws a chart from when its train steps, its smoothing or its scale change. */
export function pageChart(name: string, chart: Chart, tables: ChartTables): PageChart {
  const { source, measured, rows } = chooseSource(chart, tables)!;
  const alone = { ...chart, sources: [source] as const };
  const phases = new Set(rows.map((row) => phaseName(row[PHASE])));
  const of = (given: readonly Row[]) => template(chartSpec(alone, { ...tables, [source.reads]: given }));
  const given = tables[source.reads]!;
  const onePhase = source.rows ? given : given.map((row) => ({ ...row, [PHASE]: null }));
  const spec = chartSpec(alone, tables), own = source.reads !== "metrics" || source.rows !== undefined;
  return {
    name,
    title: chart.title,
    stepped: !source.elsewhere,
    columns: own ? null : [...measured],
    values: own ? (spec["data"] as { values: Row[] }).values.map(compactRow) : null,
    fromMetrics: own && source.reads === "metrics",
    clicked: source.clicked ?? false,
    plain: phases.size > 1 && !source.rows ? of(onePhase) : template(spec),
    phased: phases.size > 1 ? template(spec) : null,
  };
}

/** The rows, by chart, of those that make theirs of `metrics`. */
export function madeOfMetrics(
  charts: readonly PageChart[],
  metrics: readonly Row[],
): Readonly<Record<string, readonly Row[]>> {
  return Object.fromEntries(
    charts.filter(({ fromMetrics }) => fromMetrics).map(({ name }) => {
      const chosen = chooseSource(CHARTS[name as ChartName], { metrics });
      return [name, (chosen?.rows ?? []).map((row) => drawnRow({ ...row, [PHASE]: phaseName(row[PHASE]) }))];
    }),
  );
}

/** A Vega specification whose rows are taken out. */
function template(spec: Spec): Spec {
  const logger = {
    level: () => logger,
    error: () => logger,
    warn: () => logger,
    info: () => logger,
    debug: () => logger,
  };
  // deno-lint-ignore no-explicit-any
  const compiled = vegaLite.compile(spec as any, { logger: logger as any }).spec as unknown as Record<string, unknown>;
  const data = compiled["data"] as Record<string, unknown>[];
  return { ...compiled, data: data.map((part) => isRows(part) ? { ...part, values: [] } : part) };
}

/** The rows of a specification, and not what a click has chosen. */
const isRows = ({ name }: Record<string, unknown>) => String(name).startsWith("source_");

/** The columns of rows, as far as charts use them, each an array; the phase by the name a reader knows. */
export function pageColumns(rows: readonly Row[], charts: readonly PageChart[]): PageData["columns"] {
  const names = new Set(charts.flatMap(({ columns }) => columns ?? []));
  const column = (name: string) => rows.map((row) => compact(row[name]));
  return {
    train_step: rows.map((row) => row["train_step"]),
    [PHASE]: rows.map((row) => phaseName(row[PHASE])),
    ...Object.fromEntries([...names].filter((name) => name !== "train_step").map((name) => [name, column(name)])),
  };
}

function compactRow(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : compact(value)]));
}

/** The same for Vega, to which a value that is not finite is a gap, as it is in a specification. */
export function drawnRow(row: Row): Row {
  const isGap = (value: unknown) => typeof value === "number" && !Number.isFinite(value);
  return compactRow(
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isGap(value) ? null : value])),
  );
}

/** Six digits draw the same line as sixteen. */
function compact(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value !== "number") return value;
  return Number.isFinite(value) ? Number(value.toPrecision(6)) : "NaN";
}
