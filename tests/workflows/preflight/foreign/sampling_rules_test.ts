import assert from "node:assert/strict";
import { SAMPLING_RULES } from "../../../../workflows/preflight/foreign/sampling_rules.ts";
import { firesWith, testRules } from "./cases.ts";

testRules(SAMPLING_RULES);

Deno.test("hot_sampling begins above a temperature of 2", async () => {
  const hot = (temperature: string) => firesWith("hot_sampling", "--temperature 10", `--temperature ${temperature}`);
  assert.deepEqual(await Promise.all(["2.0", "2.5"].map(hot)), [false, true]);
});

Deno.test("validation_repeats wants a temperature beside do_sample", async () => {
  const own = "actor_rollout_ref.rollout.val_kwargs", n = `${own}.n=16`;
  const sampled = (temperature: string) =>
    firesWith("validation_repeats", n, `${n} ${own}.do_sample=True ${own}.temperature=${temperature}`);
  assert.deepEqual(await Promise.all(["0", "0.6"].map(sampled)), [true, false]);
});
