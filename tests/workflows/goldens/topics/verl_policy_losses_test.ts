import assert from "node:assert/strict";
import { verlPolicyLosses } from "../../../../workflows/goldens/topics/verl_policy_losses.ts";
import { verdictsOf } from "../held.ts";

Deno.test("every policy loss of verl is that of its preset, and agg_loss that of its aggregation", async () => {
  const verdicts = await verdictsOf(verlPolicyLosses);
  // All covariances are NaN there: which token is the largest is up to torch.topk.
  const failed = verdicts.filter(({ name, failure }) => failure !== null && name !== "verl/nan_logprob/kl_cov");
  assert.deepEqual(failed.slice(0, 5).map(({ name, failure }) => `${name}: ${failure}`), []);
  assert.equal(verdicts.length, 416);
});
