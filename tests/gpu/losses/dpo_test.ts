import assert from "node:assert/strict";
import { dpo, type DpoLoss, dpoProblems } from "../../../gpu/losses/dpo.ts";
import { evaluate, near } from "./preferences/evaluate.ts";

const LOSS: DpoLoss = {
  objective: "dpo",
  losses: [{ name: "sigmoid", weight: 1 }],
  beta: 0.5,
  labelSmoothing: 0,
  ldAlpha: null,
  divergence: "reverse_kl",
  divergenceAlpha: 0.5,
  discopopTau: 0.05,
  weighting: false,
  referenceFree: false,
};
/** Two pairs: chosen, rejected, chosen, rejected; the rejected one of the first is shorter. */
const LOGPROBS = [[-1, -2, -3], [-2, -1, -9], [-0.5, -0.5, -1], [-1, -1, -1]];
const REF = [[-1.5, -2, -2], [-1, -1, -9], [-1, -1, -1], [-1, -0.5, -0.5]];
const MASK = [[1, 1, 1], [1, 1, 0], [1, 1, 1], [1, 1, 1]];
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

Deno.test("dpo is −log σ(βΔ) of summed log-ratios, with the gradient on counted tokens only", async () => {
  const { loss, gradient } = await evaluate(dpo, LOSS, LOGPROBS, { ref_logprobs: REF }, MASK);
  const deltas = [-0.5 - -1, 1 - -1];
  near(loss, deltas.reduce((sum, delta) => sum - Math.log(sigmoid(0.5 * delta)), 0) / 2, "loss");
  const slope = deltas.map((delta) => 0.5 * sigmoid(-0.5 * delta) / 2);
  [0, 1, 2].forEach((t) => near(gradient[t]!, -slope[0]!, `chosen ${t}`));
  near(gradient[3]!, slope[0]!, "rejected");
  assert(gradient[5] === 0, "padding");
  near(gradient[9]!, slope[1]!, "the second pair");
});

Deno.test("dpo weighs tokens beyond the shorter completion by ld_alpha, in the log-probs and the reference", async () => {
  const { loss, gradient } = await evaluate(dpo, { ...LOSS, ldAlpha: 0.25 }, LOGPROBS, { ref_logprobs: REF }, MASK);
  const delta = 0.5 + 0.25 * -1 - -1;
  near(loss, (-Math.log(sigmoid(0.5 * delta)) - Math.log(sigmoid(1))) / 2, "loss");
  near(gradient[2]!, gradient[0]! / 4, "the tail's gradient");
});

Deno.test("dpo without a reference reads none", async () => {
  const free = { ...LOSS, referenceFree: true };
  assert.deepEqual(Object.keys(dpo.inputs(free)), []);
  const { loss } = await evaluate(dpo, free, LOGPROBS, {}, MASK);
  near(loss, (-Math.log(sigmoid(0.5 * (-6 - -3))) - Math.log(sigmoid(0.5 * (-2 - -3)))) / 2, "loss");
});

Deno.test("dpo adds its losses by their weights, sft as a mean over the batch's chosen tokens", async () => {
  const both: DpoLoss = { ...LOSS, losses: [{ name: "sigmoid", weight: 2 }, { name: "sft", weight: 0.5 }] };
  assert.deepEqual(Object.keys(dpo.inputs(both)), ["ref_logprobs", "chosen_share"]);
  const alone = (await evaluate(dpo, LOSS, LOGPROBS, { ref_logprobs: REF }, MASK)).loss;
  const { loss } = await evaluate(dpo, both, LOGPROBS, { ref_logprobs: REF, chosen_share: [[2 / 6]] }, MASK);
  near(loss, 2 * alone + 0.5 * 8 / 6, "loss");
});

Deno.test("dpo weighs a pair by its likelihood under the policy, without gradient through the weight", async () => {
  const squares = LOGPROBS.map((row) => row.map((lp) => lp / 2));
  const given = { ref_logprobs: REF, log_sum_squares: squares };
  const { loss, gradient } = await evaluate(dpo, { ...LOSS, weighting: true }, LOGPROBS, given, MASK);
  const weights = [Math.exp(-1 + -0.75), Math.exp(-1 / 3 + -0.5)];
  near(
    loss,
    (-weights[0]! * Math.log(sigmoid(0.25)) - weights[1]! * Math.log(sigmoid(1))) / 2,
    "loss",
  );
  near(gradient[0]!, -weights[0]! * 0.5 * sigmoid(-0.25) / 2, "gradient");
});

Deno.test("dpoProblems() names what TRL refuses or fails on, and is silent on what works", () => {
  const named = (more: Partial<DpoLoss>) => dpoProblems({ ...LOSS, ...more });
  assert.deepEqual(named({}), []);
  assert.deepEqual(named({ divergence: "js_divergence" }), []);
  const one = (name: DpoLoss["losses"][number]["name"]) => [{ name, weight: 1 }];
  assert.match(
    named({ divergence: "js_divergence", losses: one("nca_pair") })[0]!,
    /plain log-ratios, want reverse_kl/,
  );
  assert.match(named({ weighting: true, losses: one("hinge") })[0]!, /use_weighting is true, want it false/);
  assert.match(named({ losses: one("exo_pair") })[0]!, /label_smoothing is 0, want more than 0/);
  assert.match(named({ losses: one("robust"), labelSmoothing: 0.5 })[0]!, /want from 0 to less than 0.5/);
});

Deno.test("dpo needs the whole batch only where pairs are sorted across it", () => {
  assert.equal(dpo.wholeBatch!(LOSS), false);
  assert.equal(dpo.wholeBatch!({ ...LOSS, losses: [...LOSS.losses, { name: "aot", weight: 1 }] }), true);
});
