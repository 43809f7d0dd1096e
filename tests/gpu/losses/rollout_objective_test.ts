import assert from "node:assert/strict";
import { clipped, type ClippedLoss } from "../../../gpu/losses/clipped.ts";
import { evaluateRollout, near } from "./rollout_case.ts";

const LOSS = { ...clipped.lossOf({}), onPolicy: false, kl: null } as ClippedLoss;
const LOGPROBS = [[0.1, 0], [-0.1, 0.05]],
  INPUTS = {
    old_logprobs: [[0, 0], [0, 0]],
    advantages: [[1, 1], [-2, -2]],
    coefficients: [[1, 1], [1, 1]],
  };
const plain = LOGPROBS.flat().map((x, i) => -Math.exp(x) * (i < 2 ? 1 : -2));

Deno.test("masks and sampler weights multiply the objective's loss, the KL comes after them", async () => {
  const inputs = {
    ...INPUTS,
    entropy_mask: [[1, 0], [1, 1]],
    sampler_weights: [[2, 2], [0.5, 1]],
    ref_logprobs: [[0, 0.2], [0, 0]],
  };
  const kl = { estimator: "k1", coefficient: 0.5, timesRatio: true } as const;
  const got = await evaluateRollout({ ...LOSS, topEntropy: true, samplerWeights: "token", kl }, {
    logprobs: LOGPROBS,
    inputs,
  });
  const weights = [2, 0, 0.5, 1], differences = [0.1, -0.2, -0.1, 0.05];
  near(got.metrics["kl"]!, differences.map((d, i) => d * Math.exp(LOGPROBS.flat()[i]!)));
  near(got.loss, plain.map((x, i) => x * weights[i]! + 0.5 * differences[i]! * Math.exp(LOGPROBS.flat()[i]!)));
  near(got.metrics["policy_loss"]!, plain.map((x, i) => x * weights[i]!));
});

Deno.test("the entropy bonus is of the tokens that are learned from", () => {
  const entropy = { coefficient: 1, aggregation: "token_mean" } as const;
  const of = (loss: Partial<ClippedLoss>) => clipped.weights!({ ...LOSS, entropy, ...loss });
  assert.deepEqual(of({}), { entropy_coefficients: { aggregation: "token_mean" } });
  assert.deepEqual(of({ topEntropy: true }), {
    entropy_coefficients: { aggregation: "token_mean", among: "entropy_mask" },
  });
});

Deno.test("the off-policy mask drops completions of negative advantage that the policy has left too far", async () => {
  const inputs = { ...INPUTS, sampler_logprobs: [[1, 1], [0.3, 0.25]] }; // mean log-ratios 0.95 and 0.3
  const at = async (threshold: number, logprobs: "old_logprobs" | "sampler_logprobs") =>
    (await evaluateRollout({ ...LOSS, offPolicy: { threshold, logprobs } }, { logprobs: LOGPROBS, inputs })).loss;
  near(await at(0.29, "sampler_logprobs"), [plain[0]!, plain[1]!, 0, 0]);
  near(await at(0.31, "sampler_logprobs"), plain);
  const without = { ...inputs, sampler_logprobs: [[1, 1], [NaN, 0.25]] }; // counts as 0: 0.2 / 2
  const loss = { ...LOSS, offPolicy: { threshold: 0.11, logprobs: "sampler_logprobs" } } as const;
  near((await evaluateRollout(loss, { logprobs: LOGPROBS, inputs: without })).loss, plain);
  near(await at(0.02, "old_logprobs"), [plain[0]!, plain[1]!, 0, 0]); // mean of 0.1 and -0.05
  near(await at(0.03, "old_logprobs"), plain);
});

Deno.test("dropsPadding leaves a NaN on padding out, which would make the loss NaN", async () => {
  const logprobs = [[0.1, NaN], [-0.1, 0.05]], completion_mask = [[1, 0], [1, 1]];
  const given = { logprobs, inputs: { ...INPUTS, completion_mask } };
  const { loss } = await evaluateRollout({ ...LOSS, dropsPadding: "tokens" }, given);
  near(loss.slice(2), plain.slice(2));
});
