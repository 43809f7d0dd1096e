import assert from "node:assert/strict";
import { verlLoss } from "../../../workflows/translate/verl_loss.ts";
import { stepSettings, told } from "./translated.ts";

const A = "actor_rollout_ref.actor.";
const wanted = (options: Record<string, string | number | boolean>) =>
  stepSettings(told("verl", "ppo", options).wanted, "apply_update");

Deno.test("clip_ratio alone changes nothing in verl, its low and high do", () => {
  const { classes, texts } = told("verl", "ppo", { [`${A}clip_ratio`]: 0.3 });
  assert.equal(classes[`${A}clip_ratio`], "not_supported");
  assert.match(texts[`${A}clip_ratio`]!, /changes nothing, there and here/);
  const { clip_low, clip_high, preset } = wanted({ [`${A}clip_ratio_high`]: 0.28 });
  assert.deepEqual([clip_low, clip_high, preset], [undefined, 0.28, "verl/vanilla"]);
});

Deno.test("verl's losses by their names, with what has effect under them", () => {
  assert.deepEqual(wanted({ [`${A}policy_loss.loss_mode`]: "dppo_tv" })["ratio_cap"], 3);
  assert.equal(wanted({})["ratio_cap"], undefined);
  assert.equal(wanted({ [`${A}clip_ratio_c`]: 10 })["ratio_cap"], 10);
  assert.deepEqual(wanted({ [`${A}policy_loss.loss_mode`]: "sapo", [`${A}tau_pos`]: 2 })["temperature_positive"], 2);
  assert.equal(told("verl", "ppo", { [`${A}tau_pos`]: 2 }).classes[`${A}tau_pos`], "equal");
  assert.equal(
    told("verl", "ppo", { [`${A}policy_loss.loss_mode`]: "gspo", [`${A}loss_agg_mode`]: "token-sum" })
      .classes[`${A}loss_agg_mode`],
    "equal",
  );
  const { aggregation, aggregation_norm } = wanted({
    [`${A}loss_agg_mode`]: "seq-mean-token-sum-norm",
    [`${A}loss_scale_factor`]: 100,
  });
  assert.deepEqual([aggregation, aggregation_norm], ["sequence_sum_norm", 100]);
});

Deno.test("verl's KL in the loss: its weight and estimator only when it is used, a copy as reference", () => {
  assert.equal(told("verl", "ppo", { [`${A}kl_loss_coef`]: 0.1 }).classes[`${A}kl_loss_coef`], "equal");
  const { settings, wanted: all } = told("verl", "ppo", {
    [`${A}use_kl_loss`]: true,
    [`${A}kl_loss_type`]: "k2+",
    [`${A}entropy_coeff`]: 0.01,
  });
  assert.deepEqual([all["apply_update.kl_coef"], all["apply_update.kl_estimator"], settings["load_model.reference"]], [
    0.001,
    "k2+",
    "copy",
  ]);
  assert(Object.hasOwn(verlLoss(), `${A}entropy_coeff`));
});
