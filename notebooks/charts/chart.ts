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

/** A part of a Vega-Lite specification. */
export type Spec = Readonly<Record<string, unknown>>;

export interface Chart {
  readonly title: string;
  /** One sentence for the reader: what the values are, what a healthy run looks like. */
  readonly about: string;
  readonly reads: TableName;
  /** Columns that must exist: checked, since Vega-Lite draws nothing and says nothing when one is missing. */
  readonly columns: readonly string[];
  readonly spec: Spec;
}

const STEP_AXIS = {
  field: "train_step",
  type: "quantitative",
  title: "train step",
  scale: { zero: false, nice: false },
} as const;

/** One metric of a line chart. */
export interface Line {
  readonly column: MetricName;
  readonly label: string;
  readonly color: string;
}

/**
 * A line chart over train steps: each metric faint as it is, and bold as the mean of the last 10 train steps.
 * Values that are null or NaN leave a gap.
 */
export function lineChart(
  options: {
    title: string;
    about: string;
    lines: readonly Line[];
    y: string;
    domain?: readonly [number, number];
    scale?: "linear" | "symlog";
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
    columns: ["train_step", ...options.lines.map((l) => l.column)],
    spec: {
      transform: [
        { fold: options.lines.map((l) => l.column), as: ["metric", "value"] },
        { filter: "isValid(datum.value) && isFinite(datum.value)" },
        {
          calculate: options.lines.reduceRight(
            (rest, l) => `datum.metric === '${l.column}' ? '${l.label}' : ${rest}`,
            "datum.metric",
          ),
          as: "label",
        },
        {
          window: [{ op: "mean", field: "value", as: "mean" }],
          frame: [-9, 0],
          groupby: ["metric"],
          sort: [{ field: "train_step" }],
        },
      ],
      layer: [
        {
          mark: { type: "line", strokeWidth: 1, opacity: 0.3, clip: true },
          encoding: { x: STEP_AXIS, y: { field: "value", ...y }, color },
        },
        {
          mark: { type: "line", strokeWidth: 2, clip: true },
          encoding: { x: STEP_AXIS, y: { field: "mean", ...y }, color },
        },
      ],
    },
  };
}
