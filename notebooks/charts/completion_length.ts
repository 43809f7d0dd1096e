/** Chart of completion lengths. @module */
import { lineChart, PALETTE } from "./chart.ts";

export const completionLength = lineChart({
  title: "Completion length",
  about: "Tokens per completion, the end of sequence included.",
  lines: [
    { column: "completion_length", label: "mean", color: PALETTE.first },
    { column: "completion_length_max", label: "longest", color: PALETTE.muted },
  ],
  y: "tokens",
  span: 2,
  counted: true,
});
