import assert from "node:assert/strict";
import { vespo, type VespoLoss } from "../../../gpu/losses/vespo.ts";
import { evaluateRollout, near } from "./rollout_case.ts";

const LOGPROBS = [[-1, -2], [-0.5, -3]], OLD = [[-1.25, -1.75], [-1, -2.5]];
const MASK = [[1, 0], [1, 1]], ADVANTAGES = [[2, 2], [-1, -1]];
const LOSS = { ...vespo.lossOf({}), onPolicy: false, kl: null } as VespoLoss;

Deno.test("vespo weighs a completion by φ of its whole ratio, without gradient: φ(1) is 1", async () => {
  const phi = (log: number, k: number, lambda: number) => Math.exp(lambda + k * log - lambda * Math.exp(log));
  const inputs = { old_logprobs: OLD, completion_mask: MASK, advantages: ADVANTAGES };
  const got = await evaluateRollout(LOSS, { logprobs: LOGPROBS, inputs });
  const phis = [phi(0.25, 2, 3), phi(0, 3, 2)];
  assert.equal(phis[1], 1);
  near(got.loss, [0, 0, 1, 1].map((_, i) => -phis[i >> 1]! * ADVANTAGES[i >> 1]![0]! * LOGPROBS.flat()[i]!));
  near(got.gradient, [0, 0, 1, 1].map((_, i) => -phis[i >> 1]! * ADVANTAGES[i >> 1]![0]!));
  near(got.metrics["phi_mean"]!, phis);
});

Deno.test("vespo takes the sampler's weights into the ratio instead of multiplying its loss", async () => {
  const phi = (log: number) => Math.exp(3 + 2 * log - 3 * Math.exp(log));
  const inputs = { old_logprobs: OLD, completion_mask: MASK, advantages: ADVANTAGES, sampler_weights: [[2], [1]] };
  const got = await evaluateRollout({ ...LOSS, samplerWeights: "sequence" }, { logprobs: LOGPROBS, inputs });
  near(got.metrics["phi_mean"]!, [phi(0.25 + Math.log(2)), 1]);
  near(got.gradient.slice(0, 1), [-2 * phi(0.25 + Math.log(2))]);
});

Deno.test("vespo decays by 1e-4 at least, as TRL does where lambda is 0", async () => {
  const inputs = { old_logprobs: OLD, completion_mask: MASK, advantages: ADVANTAGES };
  const got = await evaluateRollout({ ...LOSS, kPositive: 0, lambdaPositive: 0 }, { logprobs: LOGPROBS, inputs });
  near(got.metrics["phi_mean"]!, [Math.exp(1e-4 - 1e-4 * Math.exp(0.25)), 1]);
});
