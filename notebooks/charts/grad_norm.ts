/** Chart of the gradient norm. @module */
import { lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";

export const gradNorm = lineChart({
  title: "Gradient norm",
  about: "Global L2 norm before clipping. Exactly 0 means no signal.",
  aboutPhase: { rollout: "A loss of 0 with a norm above 0 is normal." },
  lines: [{ column: "grad_norm", label: "grad norm", color: PALETTE.second }],
  y: "norm",
  scale: "symlog",
});
