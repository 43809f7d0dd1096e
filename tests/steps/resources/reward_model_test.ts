import assert from "node:assert/strict";
import { tableOf } from "../../../data/tables/mod.ts";
import { readAtTheEnd, RewardModel } from "../../../steps/resources/reward_model.ts";
import { scalarModel } from "../../../steps/resources/scalar_model.ts";
import { ONE_LAYER, withTinyPolicy } from "../contexts/training_run.ts";

Deno.test("readAtTheEnd() adds a token and reads before it", () => {
  const { completions, completionMask } = readAtTheEnd([[5, 6], []]);
  assert.deepEqual(completions.map((row) => Array.from(row)), [[5, 6, 0], [0]]);
  assert.deepEqual(completionMask.map((row) => Array.from(row)), [[0, 0, 1], [1]]);
});

Deno.test("RewardModel.scores() is the value at a completion's last token, whatever stands beside it", () =>
  withTinyPolicy(async ({ policy }) => {
    const { model } = policy, source = { config: model.config, tensors: model.weights.toHuggingFace() };
    const scalar = scalarModel(model.runtime, { ...source, seed: 3, stream: "head" });
    const reward = new RewardModel(scalar, policy, { trained: true });
    const prompts = ["1+2=", "4+5="], tokens = [policy.encodeAnswer("3"), policy.encodeAnswer("11")];
    const scores = await reward.scores(prompts, tokens);
    for (const [i, prompt] of prompts.entries()) {
      const text = Int32Array.from([...policy.encodePrompt(prompt, 0), ...tokens[i]!]);
      const [row] = await scalar.values({ prompts: [text], group: 1, completions: [[0]] });
      assert(Math.abs(scores[i]! - row![0]!) < 1e-6, `${scores[i]} and ${row![0]}`);
    }
    const state = await reward.save();
    assert(state.arrays.has("weights"));
    assert.equal((await new RewardModel(scalar, policy).save()).arrays.size, 0);
    reward.release();
  }, ONE_LAYER));

Deno.test("RewardModel.scoresOf() reads the sampled tokens, or a text with an end of sequence where it ended", () =>
  withTinyPolicy(async ({ policy }) => {
    const { model } = policy, source = { config: model.config, tensors: model.weights.toHuggingFace() };
    const scalar = scalarModel(model.runtime, { ...source, seed: 3, stream: "head" });
    const batch = { prompts: ["1+2=", "4+5="], texts: ["3", "11"], truncated: [false, true] };
    const ended = policy.encodeAnswer("3"), cut = policy.encodeAnswer("11").slice(0, -1);
    const texts = await new RewardModel(scalar, policy).scoresOf(
      batch,
      tableOf("completions", { token_ids: [[7], [8]] }),
    );
    const reward = new RewardModel(scalar, policy, { trained: true });
    assert.deepEqual(texts, await reward.scores(batch.prompts, [ended, cut]));
    const tokens = [Int32Array.of(7, 9), Int32Array.of(8)];
    const sampled = await reward.scoresOf(batch, tableOf("completions", { token_ids: tokens }));
    assert.deepEqual(sampled, await reward.scores(batch.prompts, tokens));
    assert.notDeepEqual(sampled, texts);
    reward.release();
  }, ONE_LAYER));
