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

Deno.test("what verl would raise on in a rollout correction is said, and sets nothing", () => {
  for (
    const [options, said] of [
      [{ rollout_is: "token", rollout_is_threshold: "high" }, /^Cannot read rollout_is_threshold: .*; no weights$/],
      [{ rollout_is: "geometric" }, /^"geometric" is not here: no weights$/],
      [{ rollout_rs: "token_k1" }, /rollout_rs_threshold is missing, .*; nothing is rejected$/],
      [{ rollout_rs: "seq_max_k1", rollout_rs_threshold: 2 }, /^Cannot reject by "seq_max_k1"/],
      [{ rollout_rs: "token_k2", rollout_rs_threshold: "0.1_0.2" }, /want one upper bound/],
      [{ rollout_rs: "token_k1,token_k2,token_k3", rollout_rs_threshold: "1.1,0.1" }, /want 1 or 3/],
    ] as const
  ) {
    const named = Object.fromEntries(Object.entries(options).map(([name, value]) => [`${C}${name}`, value]));
    const { classes, texts, settings } = told("verl", "ppo", named);
    const [first] = Object.keys(named);
    assert.equal(classes[first!], "not_supported");
    assert.match(texts[first!]!, said);
    assert(
      !Object.keys(settings).some((target) => target.startsWith("apply_update.sampler_")),
      JSON.stringify(settings),
    );
  }
});
