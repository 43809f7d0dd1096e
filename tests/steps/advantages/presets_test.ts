import assert from "node:assert/strict";
import { ADVANTAGE_PRESETS, advantageSettings, DEFAULT_ESTIMATOR } from "../../../steps/advantages/presets.ts";
import { type Advantage, ADVANTAGES } from "../../../steps/advantages/mod.ts";
import { ownOptions } from "../../../steps/options/own_options.ts";
import { computeAdvantages } from "../../../steps/compute_advantages.ts";

const OWN = computeAdvantages.params.keyof().options as string[];

for (const [name, preset] of Object.entries(ADVANTAGE_PRESETS)) {
  Deno.test(`preset ${name} sets options that its estimator or the step reads`, () => {
    const entry: Advantage = ADVANTAGES[preset.estimator];
    const read = Object.keys(entry.params.shape), shared = ["estimator", "kl_per_token", "kl_bound", "shaped_clip"];
    for (const option of Object.keys(preset)) assert(read.includes(option) || shared.includes(option), option);
    assert(Object.keys(preset).every((option) => OWN.includes(option)));
    assert(entry.params.safeParse(ownOptions(entry, preset)).success);
  });
}

Deno.test("advantageSettings() lets what is said win over the preset", () => {
  assert.equal(advantageSettings({}).estimator, DEFAULT_ESTIMATOR);
  const { estimator, entry, settings } = advantageSettings({ preset: "verl/grpo", eps: 0.5, scale: undefined });
  assert.deepEqual([estimator, entry, settings["eps"], settings["scale"]], ["grpo", ADVANTAGES.grpo, 0.5, "group"]);
});

Deno.test("presets of one estimator differ where the systems do", () => {
  const { "trl/grpo": trl, "verl/grpo": verl, "openrlhf/group_norm": openrlhf } = ADVANTAGE_PRESETS;
  assert.deepEqual([trl.eps, verl.eps, openrlhf.eps], [1e-4, 1e-6, 1e-9]);
  assert.equal(ADVANTAGE_PRESETS["openrlhf/reinforce"].variance, "biased");
});
