/** Chart of the share of pairs in the right order. @module */
import { lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";

export const preferenceAccuracy = lineChart({
  title: "Preference accuracy",
  about:
    "Share of pairs whose chosen completion has the higher reward; of single completions, those on their side of 0. 0.5 is chance.",
  aboutPhase: { preference: "A tie is not counted: pairs begin at 0, where policy and reference are equal." },
  lines: [
    { column: "preference_accuracy", label: "train", color: PALETTE.first },
    { column: "validation_accuracy", label: "validation", color: PALETTE.second },
  ],
  y: "fraction of pairs",
  domain: [0, 1],
  onlyWhereThere: true,
});
