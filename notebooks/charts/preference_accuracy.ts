/** Chart of the share of pairs in the right order. @module */
import { lineChart, PALETTE } from "./chart.ts";

export const preferenceAccuracy = lineChart({
  title: "Preference accuracy",
  about: "Share of pairs whose chosen completion has the higher reward. 0.5 is chance.",
  aboutPhase: { preference: "The first update shows 0: policy and reference are equal, and a tie is not counted." },
  lines: [
    { column: "preference_accuracy", label: "train", color: PALETTE.first },
    { column: "validation_accuracy", label: "validation", color: PALETTE.second },
  ],
  y: "fraction of pairs",
  domain: [0, 1],
  onlyWhereThere: true,
});
