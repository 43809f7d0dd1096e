import assert from "node:assert/strict";
import { verlCorrection } from "../../../workflows/translate/verl_correction.ts";
import { stepSettings, told } from "./translated.ts";

const C = "algorithm.rollout_correction.";

Deno.test("verl's rollout correction: truncated at a number, masked outside of two, bypassed", () => {
  const wanted = (options: Record<string, string | number | boolean>) => {
    const { sampler_weights, sampler_bounds, sampler_outside, old_logprobs } = stepSettings(
      told("verl", "ppo", options).wanted,
      "apply_update",
    );
    return [sampler_weights, sampler_bounds, sampler_outside, old_logprobs];
  };
  assert.deepEqual(wanted({ [`${C}rollout_is`]: "token" }).slice(0, 2), ["token", [0, 2]]);
  assert.deepEqual(wanted({ [`${C}rollout_is`]: "sequence", [`${C}rollout_is_threshold`]: "0.5_2.0" }).slice(0, 3), [
    "sequence",
    [0.5, 2],
    "mask",
  ]);
  assert.deepEqual(wanted({ [`${C}bypass_mode`]: true })[3], "sampler");
  assert.deepEqual(wanted({}), [undefined, undefined, undefined, undefined]);
  assert.equal(verlCorrection()[`${C}rollout_is_threshold`]!.default, 2);
});
