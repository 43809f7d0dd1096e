import assert from "node:assert/strict";
import { z } from "zod";
import { REWARDS } from "../../../steps/rewards/mod.ts";
import { defineReward, type Reward } from "../../../steps/rewards/reward.ts";
import { rewardBatch } from "./batch.ts";

Deno.test("defineReward() gives back the reward", () => {
  const reward = { about: "", params: z.strictObject({}), score: () => [] };
  assert.equal(defineReward(reward), reward);
});

/** Options of the rewards that have required ones. */
const OPTIONS: Record<string, unknown> = {
  overlong: { max_new_tokens: 20, buffer: 4 },
  regex: { pattern: "a" },
};

for (const [name, entry] of Object.entries(REWARDS)) {
  const reward: Reward = entry;

  Deno.test(`${name}.score() gives one finite number or null per completion, whatever the text`, () => {
    const texts = ["", " ", "\0", "a", "😀".repeat(99), "<think></think><answer></answer>", "1e999", "-", "NaN"];
    const rows = texts.map(() => ({ verifier: "addition", answer: "2" })), model_scores = texts.map(() => -0.5);
    const values = reward.score(reward.params.parse(OPTIONS[name] ?? {}), {
      ...rewardBatch(texts, { rows }),
      model_scores,
    });
    assert.equal(values.length, texts.length);
    for (const value of values) assert(value === null || Number.isFinite(value));
  });

  Deno.test(`${name}.params describes every option and refuses unknown ones`, () => {
    for (const [option, schema] of Object.entries((reward.params as z.ZodObject).shape)) {
      assert((schema as z.ZodType).description, option);
    }
    assert(!reward.params.safeParse({ ...OPTIONS[name] as object, unknown: 1 }).success);
  });
}
