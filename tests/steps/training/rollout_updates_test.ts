import assert from "node:assert/strict";
import { z } from "zod";
import { modelConfig } from "../../../gpu/models/config.ts";
import { FLOPS } from "../../../steps/cost/cost.ts";
import { trainingBytes } from "../../../steps/cost/memory.ts";
import { applyUpdate } from "../../../steps/apply_update.ts";
import { MODEL_PRESETS } from "../../../steps/resources/model_presets.ts";
import { updateCritic } from "../../../steps/update_critic.ts";
import {
  requireSlices,
  ROLLOUT_UPDATE_PARAMS,
  rolloutUpdateCost,
  rolloutUpdateProblems,
  sliceOf,
} from "../../../steps/training/rollout_updates.ts";

const parse = (given: object) => z.strictObject(ROLLOUT_UPDATE_PARAMS).parse(given);

Deno.test("rolloutUpdateProblems() wants whole passes over the minibatches, of the policy and of the critic", () => {
  assert.deepEqual(rolloutUpdateProblems(parse({ updates_per_rollout: 4, minibatches: 2 })), []);
  const problem = /Cannot split 3 updates into passes over 2 minibatches: want updates_per_rollout to be a multiple/;
  assert.match(rolloutUpdateProblems(parse({ updates_per_rollout: 3, minibatches: 2 }))[0]!, problem);
  const given = { learning_rate: 1e-3, updates_per_rollout: 3, minibatches: 2 };
  assert.match(applyUpdate.check!(applyUpdate.params.parse(given)).join(), problem);
  assert.match(updateCritic.check!(updateCritic.params.parse(given)).join(), problem);
});

Deno.test("sliceOf() deals out whole groups in order, and whatever has a place per completion with them", () => {
  const completions = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i]);
  const sequences = {
    prompts: ["a", "b", "c", "d"].map((text) => text.charCodeAt(0)).map((id) => [id]),
    group: 2,
    completions,
  };
  const parts = [0, 1].map((part) => sliceOf(sequences, part, 2));
  assert.deepEqual(parts.map(({ sequences: { prompts } }) => prompts), [[[97], [98]], [[99], [100]]]);
  assert.deepEqual(parts.map(({ sequences }) => sequences.completions.flat()), [[0, 1, 2, 3], [4, 5, 6, 7]]);
  assert.deepEqual(parts.map(({ cut }) => cut("abcdefgh".split("")).join("")), ["abcd", "efgh"]);
  assert.deepEqual(sliceOf(sequences, 0, 1).sequences, { ...sequences, positions: 2 });
  assert.equal(sliceOf({ ...sequences, positions: 9 }, 1, 2).sequences.positions, 9);
});

Deno.test("requireSlices() refuses slices that would cut a group", () => {
  requireSlices(4, 2);
  assert.throws(
    () => requireSlices(3, 2),
    /Cannot split 3 prompts into 2 minibatches: want prompts_per_step to be a m/,
  );
});

Deno.test("rolloutUpdateCost() counts passes over the rollout, and holds one slice of it or less", () => {
  const config = modelConfig({ ...MODEL_PRESETS.tiny_qwen2, vocab_size: 32 }), parameters = 1000;
  const sampled = { prompts_per_step: 8, group_size: 4, max_new_tokens: 10 };
  const facts = { config, parameters, promptTokens: 5 };
  const cost = (given: object, free: number | null = null) =>
    rolloutUpdateCost(parse(given), { ...facts, free }, { what: "x", sampled })!;
  const once = FLOPS.trained * parameters * 8 * 4 * 10;
  assert.equal(cost({}).flops, once);
  assert.equal(cost({ updates_per_rollout: 4, minibatches: 2 }).flops, 2 * once);
  const bytes = (prompts: number) =>
    trainingBytes(config, { prompts, group: 4, promptTokens: 5, completionTokens: 10 });
  assert.equal(cost({}).peak!.bytes, bytes(8));
  assert.equal(cost({ updates_per_rollout: 2, minibatches: 2 }).peak!.bytes, bytes(4));
  assert.equal(cost({ prompts_per_pass: 3 }).peak!.bytes, bytes(3));
  const within = cost({}, bytes(4)).peak;
  assert.deepEqual([within.bytes, within.chosen], [bytes(4), { option: "prompts_per_pass", value: 4 }]);
  assert.match(within.what, /^x on 4 × 4 completions/);
  assert.match(cost({ prompts_per_pass: 3 }).peak!.what, /^x on 3 × 4 completions of up to 10 tokens/);
  assert.equal(rolloutUpdateCost(parse({}), facts, { what: "x", sampled: null }), null);
});
