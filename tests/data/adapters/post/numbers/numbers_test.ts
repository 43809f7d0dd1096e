import assert from "node:assert/strict";
import {
  numbersIn,
  STEP_NUMBER,
  stepNumber,
  writtenNumber,
} from "../../../../../data/adapters/post/numbers/numbers.ts";

for (
  const [text, value, decimals] of [
    ["0.25", 0.25, 2],
    ["0,25", 0.25, 2],
    ["-3", -3, 0],
    ["−3.5", -3.5, 1],
    ["1,234", 1234, 0],
    ["12 345.6", 12345.6, 1],
    ["0,125", 0.125, 3],
    ["5e-7", 5e-7, 0],
    ["3x10^4", 3e4, 0],
    ["3 × 10⁻⁴", 3e-4, 0],
    ["12.5%", 0.125, 3],
    ["7 ％", 0.07, 2],
    [".5", 0.5, 1],
    ["1'200", 1200, 0],
    ["1.200,5", 1200.5, 1],
  ] as const
) {
  Deno.test(`writtenNumber() reads ${text} as ${value}`, () => {
    assert.deepEqual(writtenNumber(text), { value, decimals });
  });
}

for (
  const [text, ...wanted] of [
    ["the loss is 0.5 at step 12", "value 0.5", "step 12"],
    ["第 144 步奖励为 0.3", "step 144", "value 0.3"],
    ["训练 200 步后", "steps 200"],
    ["奖励一直是0.5，损失が3", "value 0.5", "value 3"],
    ["보상은0.5 Qwen2.5 fp16", "value 0.5"],
    ["après 300 étapes", "steps 300"],
    ["после 100 шагов", "steps 100"],
    ["на шаге 7 лосс 0,41", "step 7", "value 0.41"],
    ["Schritt 9: 2,5", "step 9", "value 2.5"],
    ["2k steps", "steps 2000"],
    ["ステップ 20 で 0.1", "step 20", "value 0.1"],
    ["스텝 30", "step 30"],
    ["Qwen2.5-7B with 8 GPUs for 3 hours", "other 8", "other 3"],
    ["rank 0 of v2 and seed 42", "other 0", "other 42"],
    ["０．５", "value 0.5"],
    ["a1 b_2 c-3 2_000"],
    ["[1, 2, 3]", "other 1", "other 2", "other 3"],
    ["15/100 are right", "value 0.15"],
    ["8/8 are right, 0/4 and 4/4", "value 1", "value 0", "value 1"],
    ["3/3 and 9/8", "value 3", "value 9"],
    ["val acc 0.6/0.5/0.2/0.1", "value 0.6", "value 0.5", "value 0.2", "value 0.1"],
    ["lr 5e-5/0.1", "value 0.00005"],
    ["until 40", "step 40"],
    ["Schritt 1.000 und étape 12 500", "step 1000", "step 12500"],
    ["1.000 Schritte, 1 000 étapes", "steps 1000", "steps 1000"],
    ["steps 10 200 300", "step 10", "value 200", "value 300"],
    ["step 2k, step 1.1k, 10k steps", "step 2000", "step 1100", "steps 10000"],
    ["from 1.2k to 900", "value 1200", "value 900"],
    ["1.000 is the reward", "value 1"],
  ] as const
) {
  Deno.test(`numbersIn() tells values from steps and sizes in "${text}"`, () => {
    assert.deepEqual(numbersIn(text).map(({ kind, value }) => `${kind} ${value}`), wanted);
  });
}

Deno.test("numbersIn() gives places in the text as it is written", () => {
  const text = "loss ０．５ 和 12 %";
  assert.deepEqual(numbersIn(text).map(({ at, end }) => text.slice(at, end)), ["０．５", "12 %"]);
});

Deno.test("STEP_NUMBER and stepNumber() read train steps with thousands", () => {
  const whole = new RegExp(`^(${STEP_NUMBER})$`, "u");
  for (
    const [text, step] of [["12", 12], ["1,200", 1200], ["1.200", 1200], ["1 200", 1200], ["2k", 2000], [
      "1.5k",
      1500,
    ]] as const
  ) {
    assert.equal(stepNumber(whole.exec(text)![1]!), step);
  }
  assert.equal(whole.exec("1.25"), null);
});
