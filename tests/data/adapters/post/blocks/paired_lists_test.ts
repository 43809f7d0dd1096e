import assert from "node:assert/strict";
import { Intake } from "../../../../../data/adapters/intake/intake.ts";
import { readStepLists } from "../../../../../data/adapters/post/blocks/paired_lists.ts";
import { readPost, recordsOf } from "../read_post.ts";

const read = async (text: string) => recordsOf(await readPost(`Hi, GRPO, why is it so?\n\n${text}\n`));

for (
  const [text, ...want] of [
    [
      "At 100 / 200 / 300 steps the reward was 0.4 / 0.3 / 0.1.",
      "3 100 reward=0.4",
      "3 200 reward=0.3",
      "3 300 reward=0.1",
    ],
    ["Loss at step 1k, 2k, 3k: 2.0, 2.3, 5.5.", "3 1000 loss=2", "3 2000 loss=2.3", "3 3000 loss=5.5"],
    [
      "Après 5 / 10 / 15 pas, la récompense vaut 0,4 / 0,7 / 0,3.",
      "3 5 reward=0.4",
      "3 10 reward=0.7",
      "3 15 reward=0.3",
    ],
    ["第 10、20、30 步的奖励分别是 0.1、0.2、0.3。", "3 10 reward=0.1", "3 20 reward=0.2", "3 30 reward=0.3"],
    [
      "After 10, 20 and 30 steps the reward was 0.1, 0.2 and 0.3, KL 1, 2 and 3",
      "3 10 reward=0.1 kl=1",
      "3 20 reward=0.2 kl=2",
      "3 30 reward=0.3 kl=3",
    ],
    [
      "The reward at steps 50, 150, 300, 400 was 0.74, 0.61, 0.35, 0.12.",
      "3 50 reward=0.74",
      "3 150 reward=0.61",
      "3 300 reward=0.35",
      "3 400 reward=0.12",
    ],
    ["奖励在 50、150、300 步分别为 0.74、0.61、0.35。", "3 50 reward=0.74", "3 150 reward=0.61", "3 300 reward=0.35"],
    [
      "Reward went 0.12, 0.35, 0.61 at 50, 150, 300, and it goes on.",
      "3 50 reward=0.12",
      "3 150 reward=0.35",
      "3 300 reward=0.61",
    ],
    [
      "At step 400 the KL is 0.02. Reward went 0.12, 0.35, 0.61 at 50, 150, 400 steps.",
      "3 50 reward=0.12",
      "3 150 reward=0.35",
      "3 400 reward=0.61 kl=0.02",
    ],
  ] as const
) {
  Deno.test(`readStepLists() reads "${text.slice(0, 40)}"`, async () => assert.deepEqual(await read(text), want));
}

for (
  const text of [
    "We tried 100 / 200 / 300 warmup examples: reward 0.4 / 0.3 / 0.1.",
    "At 100 / 200 / 300 steps the reward was 0.4 / 0.3.",
    "At steps 300, 200, 100 the reward was 0.4, 0.3, 0.1.",
    "At 100 / 200 / 300 steps it took 4 / 5 / 6 hours.",
    "The reward was 0.4 / 0.3 / 0.1.",
  ]
) {
  Deno.test(`readStepLists() reads nothing of "${text.slice(0, 40)}"`, () => {
    const intake = new Intake();
    intake.openSource("post.md", "post", 1);
    assert.equal(readStepLists(intake, { text, number: 1, ended: true }), null);
  });
}

Deno.test("readStepLists() reads in time that grows with the text", () => {
  const intake = new Intake();
  intake.openSource("post.md", "post", 1);
  for (const part of ["1, ", "step 1 / ", "100 steps "]) {
    readStepLists(intake, { text: part.repeat(130), number: 1, ended: true });
  }
});
