/** Chart of how far an update moves the weights. @module */
import { lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";

export const updateSize = lineChart({
  title: "Update size",
  about:
    "Norm of the weight change over learning rate and root of the parameter count: what Adam should make about 1. Clean " +
    "runs lie in the band, 0.17 to 1.09; below 0.02 the weights do not move.",
  lines: [{ column: "update_size", label: "update size", color: PALETTE.first }],
  y: "share of a full Adam step",
  usual: { from: 0.17, to: 1.09 },
});
