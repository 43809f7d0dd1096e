/** Chart of the share of importance ratios that the loss clips. @module */
import { lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";

export const clipFraction = lineChart({
  title: "Clipped ratios",
  about:
    "Share of importance ratios outside the clip bounds. With one update per rollout all ratios are 1 and nothing is " +
    "clipped; above about 0.3 most of what is sampled teaches nothing.",
  lines: [
    { column: "clip_fraction", label: "clipped", color: PALETTE.first },
    { column: "clip_fraction_low", label: "at the lower bound", color: PALETTE.second },
    { column: "clip_fraction_high", label: "at the upper bound", color: PALETTE.third },
    { column: "dual_clip_fraction", label: "by ratio_cap", color: PALETTE.fourth },
  ],
  y: "fraction of ratios",
  span: 0.02,
  onlyWhereThere: true,
});
