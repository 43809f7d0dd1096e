import assert from "node:assert/strict";
import { applyUpdate } from "../../../steps/apply_update.ts";
import { lossForm } from "../../../steps/training/loss_form.ts";
import { updateSettings } from "../../../steps/training/update_settings.ts";

const settings = (written: Record<string, unknown>) => {
  const given = applyUpdate.params.parse({ learning_rate: 1e-4, ...written });
  return updateSettings(given, lossForm(given), 7) as Record<string, unknown>;
};

Deno.test("updateSettings() say the objective with its bounds, and of masks and the KL only what is on", () => {
  const plain = settings({ preset: "trl/dapo" });
  assert.deepEqual(
    [plain["loss"], plain["preset"], plain["clip_high"], plain["aggregation"], plain["trainable_parameters"]],
    ["clipped", "trl/dapo", 0.2, "rollout_token_mean", 7],
  );
  for (const name of ["kl_estimator", "entropy_coef", "top_entropy_fraction", "off_policy_threshold"]) {
    assert.equal(name in plain, false, name);
  }
  const on = settings({ kl_coef: 0.1, entropy_coef: 0.2, top_entropy_fraction: 0.3, off_policy_threshold: 0.4 });
  assert.deepEqual(
    [on["kl_estimator"], on["entropy_coef"], on["top_entropy_fraction"], on["off_policy_threshold"], on["preset"]],
    ["k3", 0.2, 0.3, 0.4, undefined],
  );
});
