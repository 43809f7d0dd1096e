import { sapo, type SapoLoss } from "../../../gpu/losses/sapo.ts";
import { evaluateRollout, near } from "./rollout_case.ts";

Deno.test("sapo gates by a sigmoid of the ratio, with a temperature per sign of the advantage", async () => {
  const loss = { ...sapo.lossOf({ temperature_positive: 1.5, temperature_negative: 2 }), onPolicy: false, kl: null };
  const logprobs = [[-1, -1, -1]], ratios = [1, 1.4, 0.6], advantages = [2, -1, 0], taus = [1.5, 2, 2];
  const old_logprobs = [ratios.map((r) => -1 - Math.log(r))];
  const got = await evaluateRollout(loss as SapoLoss, { logprobs, inputs: { old_logprobs, advantages: [advantages] } });
  const gate = (t: number, ratio: number) => 4 / taus[t]! / (1 + Math.exp(-taus[t]! * (ratio - 1)));
  near(got.loss, ratios.map((r, t) => -gate(t, r) * advantages[t]!));
  near(got.gradient.slice(0, 1), [-2], "at ratio 1 the gradient is that of minus the advantage");
  const step = 1e-6, slope = (gate(1, 1.4 * (1 + step)) - gate(1, 1.4 * (1 - step))) / (2 * step);
  near([Math.round(got.gradient[1]! * 1e6)], [Math.round(slope * 1e6)], "slope");
});
