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
  assert.deepEqual(wanted({ [`${C}rollout_is`]: "token" }).slice(0, 2), ["token", undefined]);
  assert.deepEqual(wanted({ [`${C}rollout_is`]: "sequence", [`${C}rollout_is_threshold`]: "0.5_2.0" }).slice(0, 3), [
    "sequence",
    [0.5, 2],
    "mask",
  ]);
  assert.deepEqual(wanted({ [`${C}bypass_mode`]: true })[3], "sampler");
  assert.deepEqual(wanted({}), [undefined, undefined, undefined, undefined]);
  const reject = told("verl", "ppo", {
    [`${C}rollout_rs`]: "token_k1,seq_max_k2",
    [`${C}rollout_rs_threshold`]: "0.5_2.0,0.1",
  });
  assert.deepEqual(reject.settings["apply_update.sampler_reject"], { token_k1: [0.5, 2], seq_max_k2: 0.1 });
  assert.equal(verlCorrection()[`${C}rollout_is_threshold`]!.default, 2);
});
