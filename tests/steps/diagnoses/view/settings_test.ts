/** Look-ups of settings. */
import assert from "node:assert/strict";
import {
  asNumber,
  setting,
  settingEvidence,
  settingFlag,
  settingNumber,
  settingsText,
} from "../../../../steps/diagnoses/view/settings.ts";
import { viewOf } from "../synthetic.ts";

Deno.test("setting() takes the run's own before the model folder's and skips validation", () => {
  assert.equal(
    settingNumber(viewOf({ settings: { temperature: 0.9 }, model: { temperature: 0.01 } }), "temperature"),
    0.9,
  );
  assert.equal(settingNumber(viewOf({ model: { temperature: 0.01 } }), "temperature"), 0.01);
  assert.equal(
    setting(
      viewOf({ system: "verl", settings: { "actor_rollout_ref.rollout.val_kwargs.temperature": 0 } }),
      "temperature",
    ),
    null,
  );
});

Deno.test("asNumber() reads text, settingFlag() reads yes and no", () => {
  assert.deepEqual([asNumber("1e-6"), asNumber(" 2 "), asNumber("two"), asNumber(""), asNumber(true)], [
    1e-6,
    2,
    null,
    null,
    null,
  ]);
  assert.equal(settingFlag(viewOf({ settings: { bf16: "True" } }), "bf16"), true);
  assert.equal(settingFlag(viewOf({ settings: { bf16: false } }), "bf16"), false);
  assert.equal(settingFlag(viewOf({}), "bf16"), null);
});

Deno.test("settingEvidence() and settingsText() show what is written", () => {
  const view = viewOf({ settings: { reward_weights: [1, 0.5], dataset_name: "gsm8k" } });
  assert.deepEqual(settingEvidence(view.settings[0]!), {
    source: "config.txt",
    line: 1,
    train_step: null,
    name: "reward_weights",
    value: "[1,0.5]",
  });
  assert.match(settingsText(view), /dataset_name gsm8k/);
});
