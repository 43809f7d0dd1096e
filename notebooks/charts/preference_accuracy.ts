/** Chart of the share of pairs in the right order. @module */
import { lineChart, PALETTE } from "./chart.ts";

export const preferenceAccuracy = lineChart({
  title: "Preference accuracy",
  about:
    "Share of pairs whose chosen completion has the higher reward, of an update and on the split validation. 0.5 is chance.",
  lines: [
    { column: "preference_accuracy", label: "train", color: PALETTE.first },
    { column: "validation_accuracy", label: "validation", color: PALETTE.second },
  ],
  y: "fraction of pairs",
  domain: [0, 1],
  onlyWhereThere: true,
});
