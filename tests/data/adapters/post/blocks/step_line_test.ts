import assert from "node:assert/strict";
import { stepLine } from "../../../../../data/adapters/post/blocks/step_line.ts";
import { readPost, recordsOf } from "../read_post.ts";

for (
  const [text, step, rest] of [
    ["step 20  reward 0.30  kl 0.002", 20, "reward 0.30  kl 0.002"],
    ["- Step 1,200: reward 0.4", 1200, "reward 0.4"],
    ["Step 2k: reward 0.4", 2000, "reward 0.4"],
    ["Schritt 1.000: Belohnung 0,4", 1000, "Belohnung 0,4"],
    ["étape 1 000 : perte 0.1", 1000, "perte 0.1"],
    ["step 1.5k: loss 1.0", 1500, "loss 1.0"],
    ["第 10 步：entropy 0.63", 10, "entropy 0.63"],
    ["шаг 100: reward 0,41", 100, "reward 0,41"],
    ["Schritt 5 → 0.2", 5, "0.2"],
    ["étape 7 : perte 0.1", 7, "perte 0.1"],
    ["ステップ 3: 報酬 0.1", 3, "報酬 0.1"],
    ["스텝 4: 보상 0.1", 4, "보상 0.1"],
    ["[step 9] loss 1.0", 9, "loss 1.0"],
    ["20 steps: loss 1.0", 20, "loss 1.0"],
    ["step 1.5k: loss 1.0", 1500, "loss 1.0"],
    ["step 1e3 loss 1.0", 1000, "loss 1.0"],
    // What stands there is no train step, nor is it a figure of the run.
    ["step 9007199254740993 reward 0", NaN, "reward 0"],
    ["step -1 reward 0", NaN, "reward 0"],
    ["step 1.5 reward 0", NaN, "reward 0"],
    ["step 1e400 reward 0", NaN, "reward 0"],
    ["step NaN reward 0", NaN, "reward 0"],
    ["step=-inf, reward 0", NaN, "reward 0"],
  ] as const
) {
  Deno.test(`stepLine() reads the train step of "${text}"`, () =>
    assert.deepEqual(stepLine(text, false), { step, rest }));
}

Deno.test("stepLine() takes a number alone where the lines around it are such lines", () => {
  assert.equal(stepLine("12: 0.5", false), null);
  assert.deepEqual(stepLine("12: 0.5", true), { step: 12, rest: "0.5" });
});

for (
  const text of [
    "the step 20",
    "Update: NaN loss since Monday",
    "step nano: 0.5",
    "step" + " ".repeat(3990) + "nan",
    "step one: 0.5",
    "",
    "step 20",
    " ".repeat(40_000) + "x",
    "x".repeat(5000),
  ]
) {
  Deno.test(`stepLine() refuses "${text.slice(0, 20)}"`, () => assert.equal(stepLine(text, false), null));
}

Deno.test("readStepLine() makes a record of each such line, with NaN and with numbers of what was spoken of", async () => {
  const lines = ["Hi, why is this? The reward:", "", "step 10: 0.1", "step 20: 0.2", "", "step 30: loss nan, kl 0,5"];
  assert.deepEqual(recordsOf(await readPost(lines.join("\n"))), [
    "3 10 reward=0.1",
    "4 20 reward=0.2",
    "6 30 loss=NaN kl=0.5",
  ]);
});

Deno.test("readStepLine() gives a number to one metric only", async () => {
  assert.deepEqual(
    recordsOf(
      await readPost("Why?\n\nstep 10  reward O.4755  kl 11.6  entropy n/a\nstep 20: 12.6 kl, entropy falling\n"),
    ),
    ["3 10 kl=11.6 reward=0.4755", "4 20 kl=12.6"],
  );
});

Deno.test("readStepLine() takes no step number for the reward, whatever the number is", async () => {
  for (const step of ["9007199254740993", "-1", "1e400", "NaN", "1.5"]) {
    const records = recordsOf(await readPost(`My GRPO run:\n\n${`step ${step} reward 0.5\n`.repeat(3)}`));
    assert.deepEqual(records, ["3 1 reward=0.5", "4 2 reward=0.5", "5 3 reward=0.5"], step);
  }
});

Deno.test("stepLine() reads epochs that are counted: '3. Epoche'", () => {
  const found = stepLine("3. Epoche: Train-Loss 0,1, Eval-Loss 2,1", false);
  assert.equal(found?.epoch, 3);
});
