/** Chart of the speed of sampling and training together. @module */
import { lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";

export const tokensPerSecond = lineChart({
  title: "Speed",
  about: "Completion tokens over the whole time of a train step.",
  lines: [{ column: "tokens_per_second", label: "speed", color: PALETTE.first }],
  y: "tokens per second",
  onlyWhereThere: true,
});
