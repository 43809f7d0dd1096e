import assert from "node:assert/strict";
import { clipCov, type ClipCovLoss } from "../../../gpu/losses/clip_cov.ts";
import { evaluateRollout, near } from "./rollout_case.ts";

const LOGPROBS = [[-3, -1, -2], [-2, -4, -1]], ADVANTAGES = [[-2, 2, 0], [0, -2, 2]];
const INPUTS = {
  old_logprobs: LOGPROBS,
  advantages: ADVANTAGES,
  completion_mask: [[1, 1, 1], [1, 1, 0]],
  draws: [[0.9, 0.8, 0], [0, 0.7, 1]],
};
/** By hand: means are -0.4 and -2.4, so covariances are 0.96, 3.36, 0.16, 0.16, 2.56; the last token does not count. */
const given = { cov_low: 0.5, cov_high: 3 };

Deno.test("clip_cov takes the gradient of random tokens whose covariance lies between the bounds", async () => {
  const loss = (cov_fraction: number) =>
    ({ ...clipCov.lossOf({ ...given, cov_fraction }), onPolicy: false, kl: null }) as ClipCovLoss;
  const both = await evaluateRollout(loss(1), { logprobs: LOGPROBS, inputs: INPUTS });
  near(both.gradient, [0, -2, 0, 0, 0, 0]);
  near(both.metrics["clip_fraction"]!, [1, 0, 0, 0, 1, 0]);
  const one = await evaluateRollout(loss(0.2), { logprobs: LOGPROBS, inputs: INPUTS });
  near(one.metrics["clip_fraction"]!, [1, 0, 0, 0, 0, 0], "the largest draw");
  assert.equal(clipCov.wholeBatch?.(loss(1)), true);
});
