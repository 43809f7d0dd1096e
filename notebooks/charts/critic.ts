/** Chart of how well the critic foretells returns. @module */
import { lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";

export const critic = lineChart({
  title: "Critic",
  about:
    "Share of the returns' variance that the values foretold. At 0 the critic knows no more than the mean; below, " +
    "it misleads, and what is below -1 is cut off. A critic that learns rises.",
  lines: [{ column: "value_explained_variance", label: "explained variance", color: PALETTE.third }],
  y: "fraction of variance",
  domain: [-1, 1],
  onlyWhereThere: true,
});
