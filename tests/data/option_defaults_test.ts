import assert from "node:assert/strict";
import { optionDefault, preferenceBeta } from "../../data/option_defaults.ts";

Deno.test("optionDefault() is what a system does where nothing is said, and null where that is not known", () => {
  assert.equal(optionDefault("aggregation", "verl"), "token_mean");
  assert.equal(optionDefault("kl_coef", "openrlhf"), 0.01);
  assert.deepEqual([optionDefault("kl_coef", "trl"), optionDefault("kl_coef", null)], [null, null]);
  assert.equal(optionDefault("aggregation", "constructor"), null);
});

Deno.test("optionDefault() of what is built on the trainer of Hugging Face is that of the trainer alone", () => {
  assert.deepEqual(["trl", "ms-swift", "unsloth"].map((name) => optionDefault("max_grad_norm", name)), [1, 1, 1]);
  assert.deepEqual(["trl", "ms-swift"].map((name) => optionDefault("clip_low", name)), [0.2, null]);
});

Deno.test("preferenceBeta() is that of TRL, of what is built on it and of OpenRLHF, and null where it is not known", () => {
  assert.deepEqual(["trl", "llamafactory", "ms-swift", "openrlhf"].map(preferenceBeta), [0.1, 0.1, 0.1, 0.1]);
  assert.deepEqual(["verl", "nemo-rl", null].map(preferenceBeta), [null, null, null]);
});
