/** Chart of how advantages are distributed. @module */
import type { Chart } from "./chart.ts";
import { lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";
import { spreadSource } from "./spread.ts";

const Y = { type: "quantitative", title: "advantage", scale: { zero: true } };

/** Advantages are normalised to about 1: what float64 leaves of a mean that is 0 must not fill a chart. */
const SPAN = 0.1;

const printed = lineChart({
  title: "Advantages",
  about:
    "What multiplies the log-ratio of each completion. Where all are 0 nothing is taught; normalised in groups, the " +
    "mean is 0.",
  lines: [
    { column: "advantage_mean", label: "mean", color: PALETTE.first },
    { column: "advantage_std", label: "standard deviation", color: PALETTE.second },
    { column: "advantage_min", label: "smallest", color: PALETTE.fourth },
    { column: "advantage_max", label: "largest", color: PALETTE.third },
  ],
  y: "advantage",
  span: SPAN,
});

export const advantage: Chart = {
  ...printed,
  sources: [spreadSource("completions", "advantage", Y, PALETTE.first), ...printed.sources],
};
