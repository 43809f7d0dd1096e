/** Chart of the share of truncated completions. @module */
import { lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";

export const truncation = lineChart({
  title: "Truncated completions",
  about: "Share of completions that reached max_new_tokens without an end of sequence. Near 1, nothing can be learned.",
  lines: [{ column: "truncated_fraction", label: "truncated", color: PALETTE.second }],
  y: "fraction of completions",
  domain: [0, 1],
});
