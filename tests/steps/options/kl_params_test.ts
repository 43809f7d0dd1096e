import assert from "node:assert/strict";
import { table } from "arquero";
import { applyUpdate } from "../../../steps/apply_update.ts";
import { computeAdvantages } from "../../../steps/compute_advantages.ts";
import { KL_PARAMS, KL_TARGET_PARAMS, klTargetProblems } from "../../../steps/options/kl_params.ts";
import { lossForm, lossOptions } from "../../../steps/training/loss_form.ts";
import { runCompute } from "../contexts/run_compute.ts";

Deno.test("the KL in the reward and that in the loss have the same options with the same defaults", () => {
  const reward: Record<string, unknown> = computeAdvantages.params.shape,
    loss: Record<string, unknown> = applyUpdate.params.shape;
  for (const [name, schema] of Object.entries({ ...KL_PARAMS, ...KL_TARGET_PARAMS })) {
    assert.equal(reward[name], schema, name);
    assert.equal(loss[name], schema, name);
  }
});

Deno.test("kl_bound: null takes a preset's bound away, in the reward and in the loss", async () => {
  const rows = table({
    prompt_id: [1, 1],
    sample: [0, 1],
    reward: [0, 0],
    completion_tokens: [1, 1],
    completion_mask: [[1], [1]],
    old_logprobs: [[-1], [-1]],
    ref_logprobs: [[-31], [-1]],
  });
  const given = { preset: "openrlhf/group_norm", kl_coef: 0.1 };
  const advantages = async (more: object) => (await runCompute({ ...given, ...more }, rows)).advantages;
  const near = (found: readonly number[], want: readonly number[]) =>
    found.forEach((value, i) => assert(Math.abs(value - want[i]!) < 1e-6, `${found}, want ${want}`));
  near(await advantages({}), [-1, 0]);
  near(await advantages({ kl_bound: null }), [-3, 0]);
  near(await advantages({ kl_bound: null, kl_difference_bound: 4 }), [-0.4, 0]);
  near(await advantages({ kl_bound: null, kl_difference_bound: null }), [-3, 0]);
  const bounds = (more: object) =>
    lossForm(lossOptions({ preset: "openrlhf/ppo", kl_coef: 1, ...more })).shared.kl!.bounds;
  assert.deepEqual(bounds({}), { difference: null, value: 10 });
  assert.equal(bounds({ kl_bound: null }), undefined);
});

Deno.test("klTargetProblems() names a horizon without a target and a coefficient that cannot follow one", () => {
  const problems = (given: object) =>
    klTargetProblems({ kl_coef: 0.1, kl_target: undefined, kl_horizon: 10_000, ...given });
  assert.deepEqual(problems({}), []);
  assert.deepEqual(problems({ kl_target: 1, kl_horizon: 5 }), []);
  assert.match(problems({ kl_horizon: 5 }).join(), /Cannot use "kl_horizon": kl_target is not set, want one; nothing/);
  assert.match(problems({ kl_target: 1, kl_coef: 0 }).join(), /Cannot adapt kl_coef to kl_target: .+, want it above 0/);
});
