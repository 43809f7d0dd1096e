import assert from "node:assert/strict";
import { estimatorOf, verlAdvantages } from "../../../workflows/translate/verl_advantages.ts";
import { stepSettings, told } from "./translated.ts";

const wanted = (options: Record<string, string | number | boolean>) => told("verl", "ppo", options).wanted;

Deno.test("verl's estimators by their names; Dr. GRPO without the deviation", () => {
  assert.equal(wanted({ "algorithm.adv_estimator": "grpo" })["compute_advantages.preset"], "verl/grpo");
  assert.equal(
    wanted({
      "algorithm.adv_estimator": "grpo",
      "algorithm.norm_adv_by_std_in_grpo": false,
    })["compute_advantages.scale"],
    "none",
  );
  assert.equal(
    told("verl", "ppo", { "algorithm.adv_estimator": "x" }).classes["algorithm.adv_estimator"],
    "not_supported",
  );
});

Deno.test("verl's KL in the reward goes where the preset of the estimator puts it, fixed or adaptive", () => {
  const { kl_coef, kl_per_token, kl_target, kl_horizon, kl_bound, kl_difference_bound } = stepSettings(
    wanted({
      "algorithm.use_kl_in_reward": true,
      "algorithm.kl_ctrl.type": "adaptive",
      "algorithm.kl_ctrl.kl_coef": 0.01,
      "algorithm.kl_ctrl.horizon": 5000,
      "algorithm.kl_penalty": "low_var_kl",
    }),
    "compute_advantages",
  );
  assert.deepEqual([kl_coef, kl_per_token, kl_target, kl_horizon], [0.01, undefined, 0.1, 5000]);
  assert.deepEqual([kl_difference_bound, kl_bound], [20, 10], "of k3 only");
  assert.equal(wanted({})["compute_advantages.kl_coef"], undefined);
});

Deno.test("DAPO's filter of groups, and verl's names of estimators of the KL", () => {
  const { metric, max_batches } = stepSettings(
    wanted({
      "algorithm.filter_groups.enable": true,
      "algorithm.filter_groups.metric": "acc",
      "algorithm.filter_groups.max_num_gen_batches": 10,
    }),
    "filter_groups",
  );
  assert.deepEqual([metric, max_batches === undefined || max_batches === 10], ["correct", true]);
  assert.deepEqual(["kl", "low_var_kl", "mse", "abs", "k3+", "full"].map(estimatorOf), [
    "k1",
    "k3",
    "k2",
    "abs",
    "k3+",
    null,
  ]);
  assert(Object.hasOwn(verlAdvantages(), "algorithm.lam"));
});
