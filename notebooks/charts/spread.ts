/** Charts of how a value of completions is distributed over time: the median with bands of quantiles. @module */
import type { TableName } from "../../data/columns.ts";
import { moments } from "../../data/statistics/mod.ts";
import { type Source, type Spec, STEP_AXIS } from "./chart.ts";
import { byStep, numbersOf, quantilesOf } from "./step_rows.ts";

/** Bands of a drawing, laid over each other: from one quantile to another. */
const BANDS = [["p5", "p95"], ["p25", "p75"]] as const;

/** Quantiles of one column per train step, from the rows of `table`. */
export function spreadSource(table: TableName, column: string, y: Spec, color: string): Source {
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
    spec: () => ({ layer: bandLayers(y, color) }),
  };
}

/** The bands, and above them the median and dashed the mean. */
function bandLayers(y: Spec, color: string): readonly Spec[] {
  const line = { type: "line", color, clip: true };
  return [
    ...BANDS.map(([from, to]) => ({
      mark: { type: "area", opacity: 0.16, color, clip: true },
      encoding: { x: STEP_AXIS, y: { field: from, ...y }, y2: { field: to } },
    })),
    { mark: { ...line, strokeWidth: 2 }, encoding: { x: STEP_AXIS, y: { field: "p50", ...y } } },
    { mark: { ...line, strokeWidth: 1, strokeDash: [3, 3] }, encoding: { x: STEP_AXIS, y: { field: "mean", ...y } } },
  ];
}
