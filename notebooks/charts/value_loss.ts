/** Chart of the critic's loss. @module */
import { lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";

export const valueLoss = lineChart({
  title: "Value loss",
  about: "Loss of the critic: how far its values lie from the returns. It falls while the critic learns.",
  lines: [{ column: "value_loss", label: "value loss", color: PALETTE.second }],
  y: "squared units of the reward",
  onlyWhereThere: true,
});
