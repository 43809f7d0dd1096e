import { policyGradient, type PolicyGradientLoss } from "../../../gpu/losses/policy_gradient.ts";
import { evaluateRollout, near } from "./rollout_case.ts";

Deno.test("policy_gradient is minus advantage times log-prob, whatever the ratio", async () => {
  const loss = { ...policyGradient.lossOf({}), onPolicy: false, kl: null } as PolicyGradientLoss;
  const inputs = { old_logprobs: [[-3, 0]], advantages: [[2, -1]] };
  const got = await evaluateRollout(loss, { logprobs: [[-1, -0.5]], inputs });
  near(got.loss, [2, -0.5]);
  near(got.gradient, [-2, 1]);
  near(got.metrics["approx_kl"]!, [-2, 0.5]);
});
