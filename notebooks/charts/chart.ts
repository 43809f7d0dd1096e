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

/** What is drawn: a row of the chart's table. */
export type Row = Readonly<Record<string, unknown>>;

/** A part of a Vega-Lite specification. */
export type Spec = Readonly<Record<string, unknown>>;

export interface Chart {
  readonly title: string;
  /** One sentence for the reader: what the values are, what a healthy run looks like. */
  readonly about: string;
  readonly reads: TableName;
  /** Columns that must exist: checked, since Vega-Lite draws nothing and says nothing when one is missing. */
  readonly columns: readonly string[];
  /** Phases of a run share the scale of y: their values are of one kind. */
  readonly sharedScale?: boolean;
  readonly spec: Spec;
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
/** Train steps on each side that the bold line's median is taken over. */
const AROUND = 4;

/** One metric of a line chart. */
export interface Line {
  readonly column: MetricName;
  readonly label: string;
  readonly color: string;
}

/**
 * A line chart over train steps: each metric thin as it is, and bold as the median of the 9 train steps around: a median
 * keeps a cliff a cliff, where a mean of the last steps would draw a slope. What is measured at few train steps, or less
 * often than at every second, is drawn as it is. A value that is not finite leaves a gap.
 */
export function lineChart(
  options: {
    title: string;
    about: string;
    lines: readonly Line[];
    y: string;
    domain?: readonly [number, number];
    scale?: "linear" | "symlog";
    sharedScale?: boolean;
  },
): Chart {
  const names = options.lines.map((l) => l.label);
  const y = {
    type: "quantitative",
    title: options.y,
    scale: { ...(options.domain ? { domain: options.domain } : { zero: false }), type: options.scale ?? "linear" },
  };
  const color = {
    field: "label",
    type: "nominal",
    scale: { domain: names, range: options.lines.map((l) => l.color) },
    legend: names.length > 1
      ? { title: null, orient: "top", symbolType: "stroke", symbolOpacity: 1, symbolStrokeWidth: 2 }
      : null,
  };
  return {
    title: options.title,
    about: options.about,
    reads: "metrics",
    ...(options.sharedScale ? { sharedScale: true } : {}),
    columns: ["train_step", ...options.lines.map((l) => l.column)],
    spec: {
      transform: [
        { fold: options.lines.map((l) => l.column), as: ["metric", "value"] },
        { filter: "isDefined(datum.value)" },
        {
          calculate: options.lines.reduceRight(
            (rest, l) => `datum.metric === '${l.column}' ? '${l.label}' : ${rest}`,
            "datum.metric",
          ),
          as: "label",
        },
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
      ],
      layer: [
        {
          mark: { type: "line", strokeWidth: 1, opacity: 0.5, clip: true },
          encoding: { x: STEP_AXIS, y: { field: "value", ...y }, color },
        },
        {
          mark: { type: "line", strokeWidth: 2, clip: true },
          encoding: { x: STEP_AXIS, y: { field: "median", ...y }, color },
        },
        {
          transform: [{ filter: `isValid(datum.value) && datum.count <= ${FEW}` }],
          mark: { type: "point", filled: true, size: 24, opacity: 1 },
          encoding: { x: STEP_AXIS, y: { field: "value", ...y }, color },
        },
      ],
    },
  };
}
