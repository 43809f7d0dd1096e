import assert from "node:assert/strict";
import { z } from "zod";
import { beforeUpdates, keepOldLogprobs } from "../../../steps/training/before_updates.ts";
import type { Rollout } from "../../../steps/training/rollout.ts";
import { SAMPLER_PARAMS } from "../../../steps/training/sampler_correction.ts";
import { ONE_LAYER, withTinyPolicy } from "../contexts/training_run.ts";

const given = (written = {}) => ({ ...z.strictObject(SAMPLER_PARAMS).parse(written), minibatches: 1 });

Deno.test("beforeUpdates() asks for log-probs only where an option needs them", () =>
  withTinyPolicy(async (run) => {
    await run.rollout({ prompts_per_step: 1, group_size: 2, max_new_tokens: 2 });
    const rollout = (more: Partial<Rollout> = {}) =>
      ({
        comparable: true,
        completionMask: [[1, 1], [1, 0]],
        samplerLogprobs: [[-1, -2], [-3, -4]],
        lengths: [2, 1],
        tokens: 3,
        ...more,
      }) as unknown as Rollout;
    const context = run.context("apply_update");
    let asked = 0;
    const ask = () => Promise.resolve((asked++, [Float32Array.of(-1, -1), Float32Array.of(-3, -9)]));
    const plain = rollout();
    await beforeUpdates(given(), context, plain, ask);
    assert.deepEqual([asked, plain.samplerWeights], [0, undefined]);
    const bypass = rollout();
    await beforeUpdates(given({ old_logprobs: "sampler" }), context, bypass, ask);
    assert.deepEqual([asked, bypass.ratioLogprobs], [0, bypass.samplerLogprobs]);
    const weighed = rollout();
    const written = { sampler_weights: "token", sampler_reject: { token_k3: 0.5 } };
    const metrics = await beforeUpdates(given(written), context, weighed, ask);
    assert.equal(asked, 1);
    assert.deepEqual(weighed.samplerWeights!.map((row) => Array.from(row as Float64Array)), [[1, 2], [1, 0]]);
    assert.deepEqual([weighed.lengths, weighed.tokens], [[1, 1], 2]); // e - 1 - 1 = 0.72 is above 0.5
    assert(metrics.rejected_fraction! > 0.3);
    assert(run.tables.table("completions").column("old_logprobs"));
    await beforeUpdates({ ...given(), minibatches: 2 }, context, rollout(), ask);
    assert.equal(asked, 2);
  }, ONE_LAYER));

Deno.test("beforeUpdates() leaves log-probs that are not finite to the update, which names what broke", () =>
  withTinyPolicy(async (run) => {
    await run.rollout({ prompts_per_step: 1, group_size: 2, max_new_tokens: 2 });
    const rollout = {
      comparable: true,
      completionMask: [[1], [1]],
      samplerLogprobs: [[-1], [-1]],
    } as unknown as Rollout;
    const broken = () => Promise.resolve([Float32Array.of(NaN), Float32Array.of(-1)]);
    const metrics = await beforeUpdates(given({ sampler_weights: "token" }), run.context("x"), rollout, broken);
    assert.equal(metrics.sampler_ratio_mean, null);
    assert.deepEqual(rollout.samplerWeights, [1, 1]);
    keepOldLogprobs(run.context("x"), rollout, [Float32Array.of(-1), Float32Array.of(-2)]);
    assert.equal(rollout.oldLogprobs!.length, 2);
  }, ONE_LAYER));
