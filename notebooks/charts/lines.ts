/** Line charts over train steps: each metric thin as it is, and bold as the median around. @module */
import type { MetricName } from "../../data/columns.ts";
import { type Chart, LINE_LEGEND, PHASE, type Row, type Spec, STEP_AXIS, unitOf } from "./chart.ts";

/** A series of at most this many values shows each as a point, and no median: a line through one value is invisible. */
const FEW = 20;
const AROUND = 4; // Train steps on each side that the bold line's median is taken over.

/** One metric of a line chart. */
interface Line {
  readonly column: MetricName;
  readonly label: string;
  readonly color: string;
}

/** What is said of a line chart. */
interface LineChart extends Pick<Chart, "title" | "about" | "aboutPhase" | "sharedScale" | "onlyWhereThere"> {
  readonly lines: readonly [Line, ...Line[]];
  /** Title of the axis where the dictionary has no unit for the first line's column, or where `mixed` says so. */
  readonly y: string;
  /** The unit differs with what is trained. */
  readonly mixed?: boolean;
  readonly domain?: readonly [number, number];
  /** symlog, which has a place for 0, is named on the axis: its ticks are not evenly spaced. */
  readonly scale?: "linear" | "symlog";
  /** The least that y spans: below it a noise would fill the chart and look like a trend. */
  readonly span?: number;
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
    sources: [{
      reads: "metrics",
      needs: ["train_step"],
      uses: lines.map(({ column }) => column),
      spec(measured, rows) {
        const there = lines.filter(({ column }) => measured.has(column));
        const few = there.some(({ column }) => isFew(rows.filter((row) => isNumber(row[column]))));
        return {
          transform: labelled(there),
          layer: [
            ...usualBand(options),
            ...lineLayers(there, yOf(options), { named: lines.length > 1, few, span: options.span }),
          ],
        };
      },
    }],
  };
}

/** The y axis of a line chart. */
function yOf({ lines, y, mixed, domain, scale, counted }: LineChart): Spec {
  const unit = mixed ? y : unitOf("metrics", lines[0].column, y);
  return {
    type: "quantitative",
    title: scale === "symlog" ? `${unit}, log(1 + ${unit}) scale` : unit,
    ...(counted ? { axis: { tickMinStep: 1, format: "d" } } : {}),
    scale: { ...(domain ? { domain } : { zero: false }), type: scale ?? "linear" },
  };
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
  lines: readonly { readonly label: string; readonly color: string }[],
  y: Spec,
  { named, few, span }: { readonly named: boolean; readonly few: boolean; readonly span?: number | undefined },
): readonly Spec[] {
  const x = STEP_AXIS, color = colorOf(lines, named);
  return [
    {
      transform: SMOOTHED,
      layer: [
        {
          mark: { type: "line", strokeWidth: 1, opacity: 0.5, clip: true },
          encoding: { x, y: { field: "value", ...y }, color },
        },
        { mark: { type: "line", strokeWidth: 2, clip: true }, encoding: { x, y: { field: "median", ...y }, color } },
        ...few
          ? [{
            transform: [{ filter: `isValid(datum.value) && datum.count <= ${FEW}` }],
            mark: { type: "point", filled: true, size: 24, opacity: 1 },
            encoding: { x, y: { field: "value", ...y }, color },
          }]
          : [],
        ...span === undefined ? [] : [spanning(span, y)],
      ],
    },
  ];
}

/** An invisible mark around the middle of a phase's values: y spans that at least, and does not leave the side of 0. */
function spanning(span: number, y: Spec): Spec {
  return {
    transform: [
      {
        joinaggregate: [{ op: "min", field: "value", as: "lowest" }, { op: "max", field: "value", as: "highest" }],
        groupby: [PHASE],
      },
      { filter: "isValid(datum.value) && datum.train_step === datum.first" },
      { calculate: `max(min(datum.lowest, 0), (datum.lowest + datum.highest - ${span}) / 2)`, as: "from" },
      { calculate: `datum.from + ${span}`, as: "to" },
    ],
    mark: { type: "rule", opacity: 0, aria: false },
    encoding: { y: { field: "from", ...y }, y2: { field: "to" } },
  };
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
export function colorOf(lines: readonly { readonly label: string; readonly color: string }[], named: boolean): Spec {
  return {
    field: "label",
    type: "nominal",
    scale: { domain: lines.map(({ label }) => label), range: lines.map(({ color }) => color) },
    legend: named ? { ...LINE_LEGEND, columns: legendColumns(lines) } : null,
  };
}

/** Names beside each other as far as they fit above a drawing of 420 units; the columns of a legend are of one width. */
function legendColumns(lines: readonly { readonly label: string }[]): number {
  const longest = Math.max(...lines.map(({ label }) => label.length));
  return Math.max(1, Math.min(lines.length, Math.floor(420 / (34 + 6.2 * longest))));
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

/** The median around each value, or the value itself where values are few. */
const SMOOTHED: readonly Spec[] = [
  {
    window: [{ op: "median", field: "value", as: "median" }],
    frame: [-AROUND, AROUND],
    groupby: ["label", PHASE],
    sort: [{ field: "train_step" }],
  },
  {
    joinaggregate: [
      { op: "count", as: "count" },
      { op: "min", field: "train_step", as: "first" },
      { op: "max", field: "train_step", as: "last" },
    ],
    groupby: ["label", PHASE],
  },
  {
    calculate: `isValid(datum.value) && datum.count > max(${FEW}, (datum.last - datum.first) / 2)` +
      " ? datum.median : datum.value",
    as: "median",
  },
];
