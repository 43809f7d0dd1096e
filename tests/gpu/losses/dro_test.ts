import assert from "node:assert/strict";
import { dro, type DroLoss } from "../../../gpu/losses/dro.ts";
import { evaluateRollout, near } from "./rollout_case.ts";

Deno.test("dro pulls to the old log-prob by a square beside the policy gradient", async () => {
  const loss = { ...dro.lossOf({ dro_beta: 0.5 }), onPolicy: false, kl: null } as DroLoss;
  const inputs = { old_logprobs: [[-3, -0.5]], advantages: [[2, -1]] };
  const got = await evaluateRollout(loss, { logprobs: [[-1, -0.5]], inputs });
  near(got.loss, [2 + 0.25 * 4, -0.5]);
  near(got.gradient, [-2 + 0.5 * 2, 1]);
  assert.equal(dro.params.safeParse({}).success, false, "dro_beta must be set");
});
