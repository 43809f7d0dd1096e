/** Chart of the likelihood of chosen and rejected completions. @module */
import { lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";

export const preferenceLogprobs = lineChart({
  title: "Log-probabilities of chosen and rejected",
  about:
    "Summed log-probability of a completion under the policy. When the chosen ones fall by many nats too, the policy unlearns them.",
  lines: [
    { column: "chosen_logprob", label: "chosen", color: PALETTE.third },
    { column: "rejected_logprob", label: "rejected", color: PALETTE.bad },
  ],
  y: "nats per completion",
  onlyWhereThere: true,
});
