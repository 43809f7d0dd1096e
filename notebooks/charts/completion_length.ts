/** Chart of how long completions are. @module */
import { type Chart, unitOf } from "./chart.ts";
import { lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";
import { spreadSource } from "./spread.ts";

/** Tokens that y spans at least: whole numbers need some room. */
const SPAN = 2;

const Y = {
  type: "quantitative",
  title: unitOf("completions", "completion_tokens", "tokens"),
  axis: { tickMinStep: 1, format: "d" },
  scale: { zero: false },
};

const printed = lineChart({
  title: "Completion length",
  about:
    "Tokens per completion, the end of sequence included. Lengths pressed against one value are cut off by the cap.",
  lines: [
    { column: "completion_length", label: "mean", color: PALETTE.first },
    { column: "completion_length_max", label: "longest", color: PALETTE.second },
    { column: "completion_length_min", label: "shortest", color: PALETTE.fourth },
    { column: "terminated_length", label: "of those that ended", color: PALETTE.third },
  ],
  y: "tokens",
  span: SPAN,
  counted: true,
});

export const completionLength: Chart = {
  ...printed,
  sources: [spreadSource("completions", "completion_tokens", Y, PALETTE.first, SPAN, true), ...printed.sources],
};
