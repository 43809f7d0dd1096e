/** Chart of the share of groups without reward spread. @module */
import { lineChart, PALETTE } from "./chart.ts";

export const zeroSpread = lineChart({
  title: "Groups without spread",
  about: "Share of groups whose rewards are all equal: their advantages are 0 and they teach nothing.",
  lines: [{ column: "zero_spread_fraction", label: "zero spread", color: PALETTE.bad }],
  y: "fraction of groups",
  domain: [0, 1],
});
