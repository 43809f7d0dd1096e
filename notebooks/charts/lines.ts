/** Line charts over train steps: each metric thin as it is, and bold as the median around. @module */
import type { MetricName } from "../../data/columns.ts";
import { textWidth } from "../text_width.ts";
import {
  type Chart,
  LINE_LEGEND,
  type MetricLook,
  PHASE,
  type Phase,
  type Row,
  type Spec,
  STEP_AXIS,
  THINNED,
  unitOf,
} from "./chart.ts";
import { brokenMarks, brokenText } from "./broken.ts";
import { spanning } from "./room.ts";

/** A series of at most this many values shows each as a point, and no median: a line through one value is invisible. */
const FEW = 20;
export const AROUND = 4; // Train steps on each side that the bold line's median is taken over.

/** One metric of a line chart. */
interface Line {
  readonly column: MetricName;
  readonly label: string;
  readonly color: string;
  /** Lengths of its dashes and gaps in pixels; through the gaps a line that it lies on is seen. */
  readonly dash?: readonly [number, number];
}

/** The usual dashes. */
export const DASHED = [4, 4] as const;

/** A line as it is drawn. */
type DrawnLine = Omit<Line, "column">;

/** What is said of a line chart. */
interface LineChart extends Pick<Chart, "title" | "about" | "aboutPhase" | "sharedScale" | "onlyWhereThere"> {
  readonly lines: readonly [Line, ...Line[]];
  /** Title of the axis where the dictionary has no unit for the first line's column, or where `mixed` says so. */
  readonly y: string;
  /** The unit differs with what is trained. */
  readonly mixed?: boolean;
  /** The unit in a phase of which all values are, where it is not the dictionary's. */
  readonly phaseUnit?: Readonly<Partial<Record<Phase, string>>>;
  readonly domain?: readonly [number, number];
  /** symlog, which has a place for 0, is named on the axis: its ticks are not evenly spaced. */
  readonly scale?: "linear" | "symlog";
  /** The least that y spans: below it a noise would fill the chart and look like a trend. Where absent, only what is constant is given room. */
  readonly span?: number;
  /** Columns without which the rest says nothing. */
  readonly needs?: readonly MetricName[];
  /** What is counted has ticks at whole numbers alone; it wants a `span` that holds some. */
  readonly counted?: boolean;
  /** A band of values that are usual, drawn behind. */
  readonly usual?: { readonly from: number; readonly to: number };
}

/**
 * A line chart over train steps: each metric thin as it is, and bold as the median of the 9 train steps around: a median
 * keeps a cliff a cliff, where a mean of the last steps would draw a slope. What is measured at few train steps, or less
 * often than at every second, is drawn as it is. A value that is not finite leaves a gap.
 */
export function lineChart(options: LineChart): Chart {
  const { title, about, aboutPhase, lines, sharedScale, onlyWhereThere } = options;
  return {
    title,
    about,
    ...(aboutPhase ? { aboutPhase } : {}),
    ...(sharedScale ? { sharedScale } : {}),
    ...(onlyWhereThere ? { onlyWhereThere } : {}),
    metrics: metricLooks(options),
    sources: [{
      reads: "metrics",
      needs: ["train_step", ...options.needs ?? []],
      uses: lines.map(({ column }) => column),
      about: (rows) => brokenText(rows, lines.map(({ column }) => column)),
      spec(measured, rows) {
        const there = lines.filter(({ column }) => measured.has(column));
        const broken = brokenText(rows, there.map(({ column }) => column)) !== "";
        const few = there.some(({ column }) => isFew(rows.filter((row) => isNumber(row[column]))));
        return {
          transform: labelled(there),
          layer: [
            ...usualBand(options),
            ...lineLayers(there, yOf(options, rows), {
              named: lines.length > 1,
              few,
              broken,
              span: options.domain ? 0 : options.span,
            }),
          ],
        };
      },
    }],
  };
}

/** Share of a fixed domain that a metric spans at least where it is drawn alone. */
const PART = 0.05;

/** The first line has the name of its chart, which it is drawn for; the others say which of its lines they are. */
function metricLooks({ title, lines, y, span, domain }: LineChart): Record<string, MetricLook> {
  const least = span ?? (domain ? PART * (domain[1] - domain[0]) : undefined);
  return Object.fromEntries(
    lines.map(({ column, label }, i) => [column, { title: i === 0 ? title : `${title}: ${label}`, y, span: least }]),
  );
}

/** The y axis of a line chart. */
function yOf({ lines, y, mixed, phaseUnit, domain, scale, counted }: LineChart, rows: readonly Row[]): Spec {
  const phases = [...new Set(rows.map((row) => row[PHASE]))];
  const own = phases.length === 1 ? phaseUnit?.[phases[0] as Phase] : undefined;
  const unit = own ?? (mixed ? y : unitOf("metrics", lines[0].column, y));
  return {
    type: "quantitative",
    title: scale === "symlog" ? `${unit}, log(1 + ${unit}) scale` : unit,
    ...(counted ? { axis: { tickMinStep: 1, format: "d" } } : {}),
    ...(scale === "symlog" && isLarge(rows, lines) ? { axis: { values: DECADES } } : {}),
    scale: { ...(domain ? { domain } : { zero: false }), type: scale ?? "linear" },
  };
}

/** Ticks of a symlog axis of values of several sizes: those at equal distances would lie on each other at its top. */
const DECADES = [0, ...Array.from({ length: 39 }, (_, power) => 10 ** power)];
const LARGE = 20;

function isLarge(rows: readonly Row[], lines: LineChart["lines"]): boolean {
  return rows.some((row) => lines.some(({ column }) => isNumber(row[column]) && Number(row[column]) > LARGE));
}

/** Whether some phase has values so few that they are shown as points. */
function isFew(rows: readonly Row[]): boolean {
  return [...Map.groupBy(rows, (row) => row[PHASE]).values()].some(({ length }) => length <= FEW);
}

const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);

/** Whether rows that have `label` and `value` hold a series of few values. */
export function hasFew(rows: readonly Row[]): boolean {
  return [...Map.groupBy(rows.filter((row) => isNumber(row["value"])), (row) => row["label"]).values()].some(isFew);
}

/**
 * The layers of lines whose rows have `label` and `value`: the values, their median around, and points where a series
 * has few (a layer without rows would have a scale without ends).
 */
export function lineLayers(
  lines: readonly DrawnLine[],
  y: Spec,
  { named, few, broken = false, span, x = STEP_AXIS }: {
    readonly named: boolean;
    readonly few: boolean;
    /** Some value is not finite. */
    readonly broken?: boolean;
    /** The least that y spans; 0 where its domain is fixed. */
    readonly span?: number | undefined;
    /** The axis of train steps, where it is called otherwise. */
    readonly x?: Spec;
  },
): readonly Spec[] {
  const looks = { color: colorOf(lines, named), ...dashesOf(lines, named) };
  return [
    {
      transform: smoothed("value"),
      layer: [
        {
          mark: { type: "line", strokeWidth: 1, opacity: 0.5, clip: true },
          encoding: { x, y: { field: "value", ...y }, color: looks.color },
        },
        {
          mark: { type: "line", strokeWidth: 2, clip: true },
          encoding: { x, y: { field: "value_median", ...y }, ...looks },
        },
        ...few
          ? [{
            transform: [{ filter: `isValid(datum.value) && datum.valid <= ${FEW}` }],
            mark: { type: "point", filled: true, size: 24, opacity: 1 },
            encoding: { x, y: { field: "value", ...y }, color: looks.color, ...sizesOf(lines) },
          }]
          : [],
        ...broken ? [brokenMarks(x)] : [],
        ...span === 0 ? [] : [spanning(y, span)],
      ],
    },
  ];
}

function usualBand({ usual }: LineChart): readonly Spec[] {
  if (!usual) return [];
  return [{
    transform: [
      {
        aggregate: [{ op: "min", field: "train_step", as: "from" }, { op: "max", field: "train_step", as: "to" }],
        groupby: [PHASE],
      },
    ],
    mark: { type: "rect", opacity: 0.12 },
    encoding: {
      x: { ...STEP_AXIS, field: "from" },
      x2: { field: "to" },
      y: { datum: usual.from, type: "quantitative" },
      y2: { datum: usual.to },
    },
  }];
}

/** A colour for each line; a chart of several names also the only one that is there. */
export function colorOf(lines: readonly DrawnLine[], named: boolean): Spec {
  return {
    field: "label",
    type: "nominal",
    scale: { domain: lines.map(({ label }) => label), range: lines.map(({ color }) => color) },
    legend: named ? { ...LINE_LEGEND, columns: legendColumns(lines) } : null,
  };
}

/** Dashes for the lines that want some, told in the same legend; nothing where none does. */
function dashesOf(lines: readonly DrawnLine[], named: boolean): Spec {
  if (!lines.some(({ dash }) => dash)) return {};
  const { legend } = colorOf(lines, named);
  return {
    strokeDash: {
      field: "label",
      type: "nominal",
      scale: { domain: lines.map(({ label }) => label), range: lines.map(({ dash }) => dash ?? [1, 0]) },
      legend,
    },
  };
}

/** A smaller point for what is dashed: the one that it lies on is seen around it. */
function sizesOf(lines: readonly DrawnLine[]): Spec {
  const dashed = lines.filter(({ dash }) => dash).map(({ label }) => `datum.label === ${JSON.stringify(label)}`);
  return dashed.length ? { size: { condition: { test: dashed.join(" || "), value: 9 }, value: 40 } } : {};
}

/** What stands beside a name in a legend: its line and the gap to the next. */
const SYMBOL = 30, LEGEND_WIDTH = 350;

/** Names beside each other as far as they fit above a drawing that a telephone shows; a column is as wide as its longest. */
function legendColumns(lines: readonly DrawnLine[]): number {
  const widths = lines.map(({ label }) => SYMBOL + textWidth(label, 11));
  for (let columns = lines.length; columns > 1; columns--) {
    const each = Array.from({ length: columns }, (_, c) => Math.max(...widths.filter((_, i) => i % columns === c)));
    if (each.reduce((a, b) => a + b, 0) <= LEGEND_WIDTH) return columns;
  }
  return 1;
}

/** A row for each value there is, with the label of its line. */
function labelled(lines: readonly Line[]): readonly Spec[] {
  const label = lines.reduceRight(
    (rest, { column, label }) => `datum.metric === '${column}' ? '${label}' : ${rest}`,
    "datum.metric",
  );
  return [
    { fold: lines.map(({ column }) => column), as: ["metric", "value"] },
    { filter: "isDefined(datum.value)" },
    { calculate: label, as: "label" },
  ];
}

/**
 * `COLUMN_median` of each column: the median around, or the value itself where a series has few, or where it is not valid.
 * Rows marked as thinned count for it and then go.
 */
export function smoothed(...columns: readonly string[]): readonly Spec[] {
  return [
    {
      window: columns.map((field) => ({ op: "median", field, as: `${field}_median` })),
      frame: [-AROUND, AROUND],
      groupby: ["label", PHASE],
      sort: [{ field: "train_step" }],
    },
    {
      joinaggregate: [
        { op: "count", as: "count" },
        { op: "valid", field: columns[0]!, as: "valid" },
        { op: "min", field: "train_step", as: "first" },
        { op: "max", field: "train_step", as: "last" },
      ],
      groupby: ["label", PHASE],
    },
    ...columns.map((field) => ({
      calculate: `isValid(datum.${field}) && datum.count > max(${FEW}, (datum.last - datum.first) / 2)` +
        ` ? datum.${field}_median : datum.${field}`,
      as: `${field}_median`,
    })),
    { filter: `!datum.${THINNED}` },
  ];
}
