import assert from "node:assert/strict";
import { clausesOf } from "../../../../../data/adapters/post/clauses.ts";
import { WhichRun } from "../../../../../data/adapters/post/told_runs/which_run.ts";
import { claimsOf, readPost, settingsOf, toldOf } from "../read_post.ts";

/** Claims on the run that the post is about. */
const own = async (text: string) => claimsOf(await readPost(text)).filter((claim) => /^\d/.test(claim));
const apart = async (text: string) => claimsOf(await readPost(text)).filter((claim) => claim.startsWith("elsewhere"));

for (
  const text of [
    "With lr 1e-3 the loss becomes NaN at step 5. With lr 1e-6 the reward rises from 0.2 to 0.6.",
    "Qwen2.5-0.5B: loss NaN from step 1. Qwen2.5-7B: reward 0.2 -> 0.6.",
    "In TRL 0.14 the loss was NaN from step 1; in TRL 0.24 GRPO works, reward 0.2 -> 0.6.",
    "GRPO: Mit lr 1e-3 wird der Loss NaN. Mit lr 1e-6 steigt der Reward von 0,2 auf 0,6.",
    "GRPO : avec lr 1e-3 la perte devient NaN. Avec lr 1e-6 la récompense monte de 0,2 à 0,6.",
    "Con lr 1e-3 la pérdida es NaN. Con lr 1e-6 la recompensa sube de 0,2 a 0,6.",
    "Com lr 1e-3 a perda é NaN. Com lr 1e-6 a recompensa sobe de 0,2 para 0,6.",
    "С lr 1e-3 лосс NaN. С lr 1e-6 награда растёт с 0,2 до 0,6.",
    "学习率 1e-3 的时候 loss 变 NaN。学习率 1e-6 的时候奖励从 0.2 涨到 0.6。",
    "学習率 1e-3 では loss が NaN です。学習率 1e-6 では報酬が 0.2 から 0.6 に上がります。",
    "학습률 1e-3에서는 loss가 NaN입니다. 학습률 1e-6에서는 보상이 0.2에서 0.6으로 올라갑니다.",
  ]
) {
  Deno.test(`two settings that end differently are not one run: "${text}"`, async () => {
    const intake = await readPost(`Hi, GRPO, a question?\n\n${text}\n`);
    assert.deepEqual([await own(`Hi, GRPO, a question?\n\n${text}\n`), toldOf(intake)], [[], []]);
  });
}

for (
  const text of [
    "GRPO. Seed 1: the reward rises from 0.2 to 0.8. Seed 2: the loss is NaN from step 300 on.",
    "GRPO. On the A100 box the reward rises from 0.2 to 0.8. On the H100 box the loss is NaN from step 300 on.",
    "GRPO. One run is fine. The other run: the loss is NaN from step 300 on.",
    "GRPO: the reward rises from 0.2 to 0.8. I started another run with a new seed, and there the loss is NaN.",
    "GRPO. Blue: the reward rises from 0.2 to 0.8. Orange: the loss is NaN from step 40 on.",
    "GRPO，种子1 的奖励从 0.2 涨到 0.8。种子2 的 loss 是 NaN。",
    "GRPO。第一次奖励从 0.2 涨到 0.8。第二次 loss 是 NaN。",
    "GRPO。1回目は報酬が 0.2 から 0.8 に上がりました。2回目は loss が NaN です。",
    "GRPO. 시드 1은 보상이 0.2에서 0.8로 올라갑니다. 시드 2는 loss가 NaN입니다.",
    "GRPO. Lauf 1: die Belohnung steigt von 0,2 auf 0,8. Lauf 2: der Loss ist NaN.",
    "GRPO. Avec la graine 1 la récompense monte de 0,2 à 0,8. Avec la graine 2 la perte est NaN.",
    "GRPO. Con la semilla 1 la recompensa sube de 0,2 a 0,8. Con la semilla 2 la pérdida es NaN.",
    "GRPO. Com a seed 1 a recompensa sobe de 0,2 para 0,8. Com a seed 2 a perda é NaN.",
    "GRPO. Сид 1: награда растёт с 0,2 до 0,8. Сид 2: loss NaN.",
  ]
) {
  Deno.test(`the broken one of several tries is the post's: "${text}"`, async () => {
    const intake = await readPost(text);
    assert.ok((await own(text)).some((claim) => claim.endsWith("loss.not_finite")), claimsOf(intake).join());
    assert.ok(!(await own(text)).some((claim) => claim.includes("reward.")), claimsOf(intake).join());
    assert.ok(!toldOf(intake).some((told) => told.includes("reward")));
    assert.deepEqual(intake.messages.map(({ kind }) => kind).filter((kind) => kind === "broken_run"), ["broken_run"]);
  });
}

Deno.test("a setting that is asked about is the run, with its options, and the other one a contrast", async () => {
  const text = "GRPO: with top_k=1 the reward is flat, with top_k=50 it learns. Why?", intake = await readPost(text);
  assert.deepEqual(await own(text), ["1 reward.constant"]);
  assert.deepEqual(settingsOf(intake), ["1 top_k=1"]);
  const fp16 = "SFT. With bf16 the loss falls well. With fp16 the loss is NaN. I need fp16.";
  assert.deepEqual(settingsOf(await readPost(fp16)).filter((setting) => setting.includes("bf16")), []);
});

Deno.test("a setting that was taken for another one is the run", async () => {
  const text = "GRPO: with lr 1e-3 the loss is NaN. With lr 1e-6 the reward rises. We keep 1e-6. Any ideas to go on?";
  assert.deepEqual(await own(text), ["1 reward.rises"]);
  assert.deepEqual(await apart(text), ["elsewhere 1 loss.not_finite"]);
  const later = text.replace(" We keep", "\n\nWe keep");
  assert.deepEqual(await own(later), ["1 reward.rises"], "its value is named in another paragraph");
});

Deno.test("a heading or a line of its own names the run of what follows it", async () => {
  for (const [one, two] of [["## Run A", "## Run B"], ["**Run A**\n", "**Run B**\n"]]) {
    const text = `GRPO.\n\n${one}\nThe reward rises from 0.2 to 0.8.\n\n${two}\nThe loss is NaN.\n`;
    assert.deepEqual((await own(text)).map((claim) => claim.slice(claim.indexOf(" "))), [" loss.not_finite"]);
  }
});

Deno.test("one run, runs that end alike, and what is over stay as they are read", async () => {
  for (
    const text of [
      "GRPO. Seed 1: the loss is NaN. The reward rose at first.",
      "GRPO. Seed 1: the loss is NaN. Seed 2: the loss is NaN.",
      "GRPO. With lr 1e-3 the reward rises. With beta 0.1 the loss is NaN.",
      "GRPO. Run 1 went NaN in fp16. Run 2 is now stable with bf16: the reward rises.",
    ]
  ) assert.ok(!(await readPost(text)).messages.some(({ kind }) => kind === "broken_run"), text);
});

Deno.test("WhichRun.look() tells where a clause opens with another run than the one before it", () => {
  const runs = new WhichRun();
  runs.begin();
  const opens = ["Seed 1: the loss falls", "seed 1: it is stable", "seed 2: the loss is NaN"].map((text) => {
    const [clause] = clausesOf([{ text, number: 1, ended: true }]);
    return runs.look({ ...clause!, text }).opens;
  });
  assert.deepEqual(opens, [true, false, true]);
});
