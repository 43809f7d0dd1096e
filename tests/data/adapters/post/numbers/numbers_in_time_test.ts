/** Numbers out of their order in time. */
import assert from "node:assert/strict";
import { inTime } from "../../../../../data/adapters/post/numbers/numbers_in_time.ts";

const CASES: readonly (readonly [text: string, want: string])[] = [
  ["loss 1.21, eval_loss 1.24 (from 1.90)", "loss 1.21, eval_loss 1.90 → 1.24"],
  ["win rate 63 % after 400 steps (50 % at the start)", "win rate 50 % → 63 % after 400 steps"],
  ["loss 1.2 after epoch one down from 2.0", "loss 2.0 → 1.2 after epoch one"],
  ["eval_loss 0.52（开始是 0.69）。", "eval_loss 0.69 → 0.52 。"],
  ["accuracy 0,55 (сначала 0,51)", "accuracy 0,51 → 0,55"],
  ["accuracy 0.55 and 0.49 (base 0.22)", "accuracy 0.22 → 0.49"],
  ["accuracy 0.30 and 0.05 (base 0.22)", "accuracy 0.22 → 0.30"],
  ["accuracy 0.05 and 0.02 (base 0.22)", "accuracy 0.22 → 0.05"],
  ["Eval 48,2 % (vorher 35,0 %)", "Eval 35,0 % → 48,2 %"],
  ["1.24 after epoch 1, 1.41 after epoch 2, 1.90 after epoch 3.", "1.24 → 1.41 → 1.90 ."],
  ["eval loss: 0.98 (ep 1), 0.93 (ep 2)", "eval loss: 0.98 → 0.93"],
  ["0.31 (step 0), 0.38 (step 50), 0.44 (100)", "0.31 @step 0 , 0.38 @step 50 , 0.44 @ 100"],
  ["acc 0.55（第100步）、0.61（第200步）", "acc 0.55 @ 100步、0.61 @ 200步"],
  ["reward 0.33 (10), 0.40 (60), 0.46 (120)", "reward 0.33 , 0.40 , 0.46"],
];
for (const [text, want] of CASES) {
  Deno.test(`inTime() orders "${text}" and keeps its length`, () => {
    const told = inTime(text);
    assert.equal(told.replace(/\s+/g, " ").trim(), want);
    assert.equal(told.length, text.length);
  });
}

for (
  const text of [
    "the reward is 0.3 from step 10 on",
    "it rises to 0.6 (from 0.2 to 0.4 in the first half)",
    "2 (from 3 runs)",
    "loss 1.24 after epoch 1 and then nothing",
    "reward 0.33 (10 runs), 0.40",
    "Qwen2.5 (was 2.0)",
  ]
) Deno.test(`inTime() leaves "${text}"`, () => assert.equal(inTime(text), text));
