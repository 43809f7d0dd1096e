import { klCov, type KlCovLoss } from "../../../gpu/losses/kl_cov.ts";
import { evaluateRollout, near } from "./rollout_case.ts";

Deno.test("kl_cov makes the tokens of highest covariance pay for |log-ratio|, at least one", async () => {
  const logprobs = [[-3, -1, -2], [-2, -4, -1]], advantages = [[-2, 2, 0], [0, -2, 2]];
  const old_logprobs = [[-3, -1.5, -2], [-2, -3.9, -1]], completion_mask = [[1, 1, 1], [1, 1, 0]];
  const inputs = { old_logprobs, advantages, completion_mask, tie_order: [[0, 1, 2], [3, 4, 5]] };
  const evaluate = (cov_fraction: number, more = {}) =>
    evaluateRollout({ ...klCov.lossOf({ cov_fraction, cov_kl_coef: 3 }), onPolicy: false, kl: null } as KlCovLoss, {
      logprobs,
      inputs: { ...inputs, ...more },
    });
  const ratios = [1, Math.exp(0.5), 1, 1, Math.exp(-0.1), 1], plain = ratios.map((r, i) => -r * advantages.flat()[i]!);
  const one = await evaluate(1e-4), two = await evaluate(0.4);
  near(one.loss, plain.map((value, i) => value + (i === 1 ? 1.5 : 0)));
  const slopes = plain.map((value, i) => completion_mask.flat()[i]! * value);
  near(one.gradient, slopes.map((value, i) => value + (i === 1 ? 3 : 0)));
  near(two.gradient, slopes.map((value, i) => value + (i === 1 ? 3 : i === 4 ? -3 : 0)));
  near(one.metrics["approx_kl_abs"]!, [0, 0.5, 0, 0, 0.1, 0]);
  const equal = await evaluate(1e-4, { advantages: [[1, 1, 1], [1, 1, 1]], tie_order: [[1, 2, 3], [4, 0, 5]] });
  near(
    equal.loss,
    ratios.map((ratio, i) => -ratio + (i === 4 ? 0.3 : 0)),
    "of equal covariances the first in tie_order",
  );
});
