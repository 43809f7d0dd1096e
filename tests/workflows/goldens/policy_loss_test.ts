import assert from "node:assert/strict";
import { policyLoss } from "../../../workflows/goldens/policy_loss.ts";
import { openGraphRunner } from "../../../workflows/goldens/run_graph.ts";

Deno.test("policyLoss() is the loss of apply_update's options, and refuses what the step refuses", async () => {
  const graphs = await openGraphRunner(), tools = { dtype: "float64", graphs } as const;
  const inputs = {
    logprobs: [[-1, -2], [-0.5, 7]],
    old_logprobs: [[-1, -2.5], [-0.5, 3]],
    completion_mask: [[1, 1], [1, 0]],
    advantages: [1, -1],
  };
  const { loss, grad_logprobs, metrics } = await policyLoss({ options: { preset: "grpo" }, inputs }, tools);
  assert(Math.abs(loss - (-(1 + 1.2) / 2 + 1) / 2) < 1e-12, `${loss}`);
  assert.deepEqual(grad_logprobs, [[-0.25, 0], [0.5, 0]]);
  assert.equal(metrics["clip_fraction"], 1 / 3);
  const twice = await policyLoss({ options: { preset: "grpo" }, inputs, totals: { scale: 2 } }, tools);
  assert.equal(twice.loss, 2 * loss);
  await assert.rejects(policyLoss({ options: { loss: "dro" }, inputs }, tools), /option "dro_beta" is missing/);
  graphs.release();
});
