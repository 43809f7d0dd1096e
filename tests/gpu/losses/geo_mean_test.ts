import { geoMean, type GeoMeanLoss } from "../../../gpu/losses/geo_mean.ts";
import { evaluateRollout, near } from "./rollout_case.ts";

const LOGPROBS = [[0.1, 0.5, 7], [0.1, -0.5, -0.1]], ZERO = LOGPROBS.map((row) => row.map(() => 0));
const MASK = [[1, 1, 0], [1, 1, 1]], ADVANTAGES = [[2, 2, 2], [-1, -1, -1]];
const LOSS = {
  ...geoMean.lossOf({ clip_low: 0.2, clip_high: 0.3 }),
  onPolicy: false,
  kl: null,
} as GeoMeanLoss;
const INPUTS = { old_logprobs: ZERO, completion_mask: MASK, advantages: ADVANTAGES };

Deno.test("geo_mean takes one ratio per completion from log-ratios bounded on the side of the advantage", async () => {
  const got = await evaluateRollout(LOSS, { logprobs: LOGPROBS, inputs: INPUTS });
  const first = Math.exp((0.1 + 0.3) / 2), second = Math.exp((0.1 - 0.2 - 0.1) / 3);
  near(got.loss, [-2 * first, -2 * first, -2 * first, second, second, second]);
  // The loss is summed over three tokens here, and each token's share of the mean is one in its row.
  near(got.gradient, [-3 * first, 0, 0, second, 0, second]);
  near(got.metrics["clip_fraction_high"]!.map((x, i) => x * MASK.flat()[i]!), [0, 1, 0, 0, 0, 0]);
  near(got.metrics["clip_fraction_low"]!, [0, 0, 0, 0, 1, 0]);
});

Deno.test("geo_mean multiplies a completion by the geometric mean of its sampler weights", async () => {
  const plain = await evaluateRollout(LOSS, { logprobs: LOGPROBS, inputs: INPUTS });
  const sampler_weights = [[4, 1, 9], [1, 1, 8]];
  const got = await evaluateRollout({ ...LOSS, samplerWeights: "token" }, {
    logprobs: LOGPROBS,
    inputs: { ...INPUTS, sampler_weights },
  });
  near(got.loss, plain.loss.map((value) => 2 * value)); // √(4·1) and ∛(1·1·8)
});
