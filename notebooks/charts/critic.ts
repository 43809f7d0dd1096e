/** Chart of how well the critic foretells returns. @module */
import { lineChart, PALETTE } from "./chart.ts";

export const critic = lineChart({
  title: "Critic",
  about:
    "Share of the returns' variance that the values foretold, and the loss of the values. At 0 the critic knows no " +
    "more than the mean; below, it misleads. A critic that learns rises, with its loss falling.",
  lines: [
    { column: "value_explained_variance", label: "explained variance", color: PALETTE.third },
    { column: "value_loss", label: "value loss", color: PALETTE.second },
  ],
  y: "fraction; squared units of the reward",
  onlyWhereThere: true,
});
