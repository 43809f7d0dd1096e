/** Charts of how a value of completions is distributed over time: the median with bands of quantiles. @module */
import type { TableName } from "../../data/columns.ts";
import { moments } from "../../data/statistics/mod.ts";
import { type Source, type Spec, STEP_AXIS } from "./chart.ts";
import { spanning } from "./room.ts";
import { byStep, hasLone, numbersOf, quantilesOf } from "./step_rows.ts";

/** Bands of a drawing, laid over each other: from one quantile to another. */
const BANDS = [["p5", "p95"], ["p25", "p75"]] as const;

/** Quantiles of one column per train step, from the rows of `table`; `span` is the least that y spans. What is `counted` is drawn in steps. */
export function spreadSource(
  table: TableName,
  column: string,
  y: Spec,
  color: string,
  span?: number,
  counted = false,
): Source {
  return {
    reads: table,
    about: "Bold the median, dashed the mean; the bands hold every second and nine of ten completions.",
    needs: ["train_step", column],
    uses: [],
    rows: (rows) =>
      byStep(rows).flatMap(([train_step, members]) => {
        const values = numbersOf(members, column);
        if (values.length === 0) return [];
        const [p5, p25, p50, p75, p95] = quantilesOf(values, [0.05, 0.25, 0.5, 0.75, 0.95]);
        return [{ train_step, p5, p25, p50, p75, p95, mean: moments(values).mean, completions: values.length }];
      }),
    spec: (_, rows) => ({
      layer: [
        ...bandLayers(y, color, counted ? { interpolate: "step" } : {}),
        ...hasLone(rows) ? loneLayers(y, color) : [],
        spanning(y, span, ["p5", "p95"]),
      ],
    }),
  };
}

/** Of one train step a band has no width and a line no length: bars and a point. */
function loneLayers(y: Spec, color: string): readonly Spec[] {
  return [
    ...BANDS.map(([from, to]) => ({
      mark: { type: "rule", strokeWidth: 8, opacity: 0.25, color },
      encoding: { x: STEP_AXIS, y: { field: from, ...y }, y2: { field: to } },
    })),
    {
      mark: { type: "point", filled: true, size: 40, opacity: 1, color },
      encoding: { x: STEP_AXIS, y: { field: "p50", ...y } },
    },
  ];
}

/** The bands, and above them the median and dashed the mean. */
function bandLayers(y: Spec, color: string, look: Spec): readonly Spec[] {
  const line = { type: "line", color, clip: true, ...look };
  return [
    ...BANDS.map(([from, to]) => ({
      mark: { type: "area", opacity: 0.16, color, clip: true, ...look },
      encoding: { x: STEP_AXIS, y: { field: from, ...y }, y2: { field: to } },
    })),
    { mark: { ...line, strokeWidth: 2 }, encoding: { x: STEP_AXIS, y: { field: "p50", ...y } } },
    { mark: { ...line, strokeWidth: 1, strokeDash: [3, 3] }, encoding: { x: STEP_AXIS, y: { field: "mean", ...y } } },
  ];
}
