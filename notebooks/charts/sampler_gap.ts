/** Chart of log-probabilities as the sampler reported them against those that training computes. @module */
import { type Chart, type Row, type Spec, unitOf } from "./chart.ts";
import { PALETTE } from "./palette.ts";
import { evenly, tokenPairs } from "./step_rows.ts";

const MOST_TOKENS = 500;
const AXIS = { type: "quantitative", scale: { zero: false, nice: false } } as const;

export const samplerGap: Chart = {
  title: "Sampler against trainer",
  about:
    "Log-probability of sampled tokens as the sampler reported it and as training computes it, for an even choice of " +
    "tokens. They should lie on the line; below it the trainer finds tokens less likely than what drew them.",
  onlyWhereThere: true,
  sources: [{
    reads: "completions",
    needs: ["old_logprobs", "sampler_logprobs"],
    uses: ["completion_mask", "train_step"],
    elsewhere: true,
    rows: tokens,
    spec: (): Spec => ({
      layer: [
        {
          transform: [{ aggregate: [{ op: "min", field: "sampler", as: "least" }] }],
          mark: { type: "rule", color: PALETTE.muted, strokeDash: [4, 3] },
          encoding: {
            x: { field: "least", ...AXIS, title: `sampler, ${unitOf("completions", "sampler_logprobs", "nats")}` },
            y: { field: "least", ...AXIS, title: `trainer, ${unitOf("completions", "old_logprobs", "nats")}` },
            x2: { datum: 0 },
            y2: { datum: 0 },
          },
        },
        {
          mark: { type: "point", filled: true, size: 14, opacity: 0.45, color: PALETTE.first },
          encoding: { x: { field: "sampler", ...AXIS }, y: { field: "trainer", ...AXIS } },
        },
      ],
    }),
  }],
};

/** An even choice of the tokens that count; -Infinity is no place on a chart. */
function tokens(rows: readonly Row[]): Row[] {
  const pairs = tokenPairs(evenly(rows, MOST_TOKENS), "sampler_logprobs", "old_logprobs");
  return evenly(pairs, MOST_TOKENS).map(({ row, token, first, second }) => ({
    sampler: first,
    trainer: second,
    token,
    train_step: row["train_step"],
  }));
}
