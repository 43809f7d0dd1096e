import assert from "node:assert/strict";
import { TRL_GRPO } from "../../../workflows/translate/trl_grpo.ts";
import { stepSettings, told } from "./translated.ts";

Deno.test("GRPO's KL: no beta is no reference, a beta is k3 in the loss times the ratio", () => {
  assert.equal(told("trl", "grpo", {}).settings["load_model.reference"], undefined);
  const { settings } = told("trl", "grpo", { beta: 0.04 });
  const { kl_coef, kl_times_ratio } = stepSettings(settings, "apply_update");
  assert.deepEqual([settings["load_model.reference"], kl_coef, kl_times_ratio], ["copy", 0.04, true]);
  assert.equal(
    told("trl", "grpo", { beta: 0.04, use_bias_correction_kl: false }).settings["apply_update.kl_times_ratio"],
    false,
  );
});

Deno.test("GRPO's advantages: scale_rewards as text and as truth", () => {
  const scale = (value: string | boolean) => told("trl", "grpo", { scale_rewards: value });
  assert.deepEqual(
    [true, "group", "batch", "none", false].map((value) => scale(value).settings["compute_advantages.scale"]),
    [undefined, undefined, "batch", "none", "none"],
  );
  assert.equal(scale("x").classes["scale_rewards"], "not_supported");
});

Deno.test("GRPO's clip bounds: epsilon is both unless epsilon_high is said", () => {
  const bounds = (options: Record<string, number>) => {
    const { clip_low, clip_high } = stepSettings(told("trl", "grpo", options).settings, "apply_update");
    return [clip_low, clip_high];
  };
  assert.deepEqual([bounds({}), bounds({ epsilon: 0.1 }), bounds({ epsilon_high: 0.28 })], [[0.2, 0.2], [0.1, 0.1], [
    0.2,
    0.28,
  ]]);
  const cap = (options: Record<string, number | string>) =>
    told("trl", "grpo", { delta: 4, ...options }).settings["apply_update.ratio_cap"];
  assert.equal(cap({}), 4);
  assert.equal(cap({ loss_type: "cispo", epsilon_high: 0.3 }), 0.3, "TRL reads no delta there");
  assert.equal(cap({ loss_type: "sapo" }), undefined);
  assert(Object.hasOwn(TRL_GRPO, "vespo_k_pos"));
});
