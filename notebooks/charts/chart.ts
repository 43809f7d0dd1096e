/** What a chart is: a table, the columns it needs, and a Vega-Lite specification without data. @module */
import type { MetricName, TableName } from "../../data/columns.ts";

/** The few colours of all charts; the report replaces each by a CSS variable, so light and dark need one SVG. */
export const PALETTE = {
  ink: "#2b2f38",
  muted: "#7a808c",
  grid: "#e6e7ea",
  first: "#2f6fde",
  second: "#d9822b",
  third: "#1f9d72",
  fourth: "#8457d1",
  bad: "#d64545",
} as const;

/** Column that says which phase of a run a row belongs to. */
export const PHASE = "phase";

/** What was trained in a phase, as the column says it. */
export type Phase = "sft" | "rollout" | "preference" | "reward_model";

/** What is drawn: a row of the chart's table. */
export type Row = Readonly<Record<string, unknown>>;

/** A part of a Vega-Lite specification. */
export type Spec = Readonly<Record<string, unknown>>;

export interface Chart {
  readonly title: string;
  /** One sentence for the reader: what the values are, what a healthy run looks like. */
  readonly about: string;
  /** What more is said where a phase of the run has values: what they mean differs with what is trained. */
  readonly aboutPhase?: Readonly<Partial<Record<Phase, string>>>;
  readonly reads: TableName;
  /** Columns that must exist: checked, since Vega-Lite draws nothing and says nothing when one is missing. */
  readonly columns: readonly string[];
  /** Phases of a run share the scale of y: their values are of one kind. */
  readonly sharedScale?: boolean;
  /** Left out of a report whose run has none of its columns, without a word: few runs have a critic. */
  readonly onlyWhereThere?: boolean;
  /** The drawing, given the columns that have a value: a legend names no line that is not there. */
  readonly spec: (measured: ReadonlySet<string>) => Spec;
}

/** Train steps are counted: no tick stands between two of them. */
export const STEP_AXIS = {
  field: "train_step",
  type: "quantitative",
  title: "train step",
  axis: { tickMinStep: 1, format: "d" },
  scale: { zero: false, nice: false },
} as const;

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
  readonly lines: readonly Line[];
  /** Title of the axis: the unit. */
  readonly y: string;
  readonly domain?: readonly [number, number];
  /** symlog, which has a place for 0, is named on the axis: its ticks are not evenly spaced. */
  readonly scale?: "linear" | "symlog";
  /** The least that y spans: below it a noise would fill the chart and look like a trend. */
  readonly span?: number;
  /** What is counted has ticks at whole numbers alone; it wants a `span` that holds some. */
  readonly counted?: boolean;
}

/**
 * A line chart over train steps: each metric thin as it is, and bold as the median of the 9 train steps around: a median
 * keeps a cliff a cliff, where a mean of the last steps would draw a slope. What is measured at few train steps, or less
 * often than at every second, is drawn as it is. A value that is not finite leaves a gap.
 */
export function lineChart(options: LineChart): Chart {
  const { title, about, aboutPhase, lines, sharedScale, onlyWhereThere, span, counted } = options;
  const x = STEP_AXIS;
  const y = {
    type: "quantitative",
    title: options.scale === "symlog" ? `${options.y}, log(1 + ${options.y}) scale` : options.y,
    ...(counted ? { axis: { tickMinStep: 1, format: "d" } } : {}),
    scale: { ...(options.domain ? { domain: options.domain } : { zero: false }), type: options.scale ?? "linear" },
  };
  return {
    title,
    about,
    ...(aboutPhase ? { aboutPhase } : {}),
    reads: "metrics",
    ...(sharedScale ? { sharedScale } : {}),
    ...(onlyWhereThere ? { onlyWhereThere } : {}),
    columns: ["train_step", ...lines.map(({ column }) => column)],
    spec(measured) {
      const there = lines.filter(({ column }) => measured.has(column)), color = colorOf(there, lines.length > 1);
      return {
        transform: [...labelled(there), ...SMOOTHED],
        layer: [
          {
            mark: { type: "line", strokeWidth: 1, opacity: 0.5, clip: true },
            encoding: { x, y: { field: "value", ...y }, color },
          },
          { mark: { type: "line", strokeWidth: 2, clip: true }, encoding: { x, y: { field: "median", ...y }, color } },
          {
            transform: [{ filter: `isValid(datum.value) && datum.count <= ${FEW}` }],
            mark: { type: "point", filled: true, size: 24, opacity: 1 },
            encoding: { x, y: { field: "value", ...y }, color },
          },
          ...(span === undefined ? [] : [spanning(span, y)]),
        ],
      };
    },
  };
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

/** A colour for each line; a chart of several names also the only one that is there. */
function colorOf(lines: readonly Line[], named: boolean): Spec {
  return {
    field: "label",
    type: "nominal",
    scale: { domain: lines.map(({ label }) => label), range: lines.map(({ color }) => color) },
    legend: named ? { title: null, orient: "top", symbolType: "stroke", symbolOpacity: 1, symbolStrokeWidth: 2 } : null,
  };
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
    groupby: ["metric", PHASE],
    sort: [{ field: "train_step" }],
  },
  {
    joinaggregate: [
      { op: "count", as: "count" },
      { op: "min", field: "train_step", as: "first" },
      { op: "max", field: "train_step", as: "last" },
    ],
    groupby: ["metric", PHASE],
  },
  {
    calculate: `isValid(datum.value) && datum.count > max(${FEW}, (datum.last - datum.first) / 2)` +
      " ? datum.median : datum.value",
    as: "median",
  },
];
