import assert from "node:assert/strict";
import { divergence } from "../../../steps/corrections/divergence.ts";

const ln = Math.log;
const near = (got: number | undefined, want: number) =>
  assert(Math.abs(got! - want) <= 1e-7 * Math.max(Math.abs(want), 1), `${got}, want ${want}`);

Deno.test("divergence() gives KL, perplexities and χ² of sampler and trainer over the tokens that count", () => {
  const old = [[ln(0.5), ln(0.25), NaN]], sampler = [[ln(0.25), ln(0.25), NaN]], mask = [[1, 1, 0]];
  const got = divergence(old, sampler, mask);
  near(got["kl"], -ln(2) / 2);
  near(got["k3_kl"], (2 - 1 - ln(2)) / 2);
  near(got["training_ppl"], Math.sqrt(8));
  near(got["rollout_ppl"], 4);
  near(got["log_ppl_diff"], -ln(2) / 2);
  near(got["ppl_ratio"], Math.SQRT1_2);
  near(got["chi2_token"], (4 + 1) / 2 - 1);
  near(got["chi2_seq"], 3);
});
