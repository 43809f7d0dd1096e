import assert from "node:assert/strict";
import { readPost, recordsOf } from "./read_post.ts";

const read = async (...lines: string[]) => recordsOf(await readPost(["Hi, why is it so?", "", ...lines].join("\n")));

for (
  const [what, head, rule, row] of [
    ["pipes", "| step | reward | KL |", "|---|---|---|", "| 10 | 0.5 | 0.01 |"],
    ["pipes without ends", "step | reward | KL", "--|--|--", "10 | 0.5 | 0.01"],
    ["tabs", "step\treward\tKL", "", "10\t0.5\t0.01"],
    ["wide spaces", "step   reward   KL", "", "10     0.5      0.01"],
    ["commas", "step,reward,kl", "", "10,0.5,0.01"],
    ["commas with spaces", "step, reward, kl", "", "10, 0.5, 0.01"],
    ["semicolons and decimal commas", "Schritt;Belohnung;KL", "", "10;0,5;0,01"],
    ["quoted cells of W&B", '"Step","a - b - reward","a - b - reward__MIN","a - kl"', "", '"10","0.5","0.4","0.01"'],
    ["slashes", "step / reward / KL", "", "10 / 0.5 / 0.01"],
    ["heads in Chinese", "| 步数 | 奖励 | KL 散度 |", "|---|---|---|", "| 10 | 0.5 | 0.01 |"],
    ["heads in Russian", "| шаг | награда | KL |", "|---|---|---|", "| 10 | 0,5 | 0,01 |"],
    ["heads in Japanese", "| ステップ | 報酬 | KL |", "|---|---|---|", "| 10 | 0.5 | 0.01 |"],
    ["marks", "| step | **reward** | `KL` |", "|:--|:-:|--:|", "| ~10 | **0.5** | ≈ 0.01 |"],
    ["percent", "| step | reward | KL |", "|---|---|---|", "| 10 | 50% | 1% |"],
  ] as const
) {
  Deno.test(`TableReader reads ${what}`, async () => {
    const next = row.replace("10", "20"), lines = [head, ...rule === "" ? [] : [rule], row, next];
    const at = lines.length + 1;
    assert.deepEqual(await read(...lines), [`${at} 10 reward=0.5 kl=0.01`, `${at + 1} 20 reward=0.5 kl=0.01`]);
  });
}

Deno.test("TableReader reads NaN, thousands, and cells without a number as absent", async () => {
  assert.deepEqual(
    await read("| step | reward | loss |", "|---|---|---|", "| 1,000 | nan | – |", "| 2k | n/a | 0.5 (up) |"),
    ["5 1000 reward=NaN", "6 2000 loss=0.5"],
  );
});

Deno.test("TableReader reads no table whose rows are other runs, or that has no train steps", async () => {
  assert.deepEqual(await read("| model | reward |", "|---|---|", "| 7B | 0.5 |", "| 14B | 0.6 |"), []);
  assert.deepEqual(await read("| step | reward |", "|---|---|", "| 500 | 0.5 |", "| 500 | 0.6 |"), [
    "5 500 reward=0.5",
  ]);
  assert.deepEqual(
    await read("| setting | steps | reward |", "|---|---|---|", "| a | 100 | 0.5 |", "| b | 50 | 0.6 |"),
    [
      "5 100 reward=0.5",
    ],
  );
});

Deno.test("TableReader takes of a course within a cell its end, of a range its middle", async () => {
  assert.deepEqual(
    await read("| step | reward | kl |", "|---|---|---|", "| 1 | 0.1 → 0.2 | 0.01 |", "| 2 | 0.5 to 0.7 | 0.02-0.04 |"),
    ["5 1 reward=0.2 kl=0.01", "6 2 reward=0.7 kl=0.03"],
  );
});

Deno.test("TableReader takes __proto__ and constructor for heads like others, and a row of 10000 cells for none", async () => {
  assert.deepEqual(await read("| step | __proto__ | reward |", "|---|---|---|", "| 1 | 2 | 0.5 |", "| 2 | 2 | 0.5 |"), [
    "5 1 reward=0.5",
    "6 2 reward=0.5",
  ]);
  assert.deepEqual(await read("| step | reward |", "|---|---|", "| 1 ".repeat(10_000)), []);
});

Deno.test("TableReader reads CSV in a fence, and stops where its rows do", async () => {
  assert.deepEqual(await read("```csv", "epoch,loss", "1,0.5", "2,0.4", "```"), [
    "5 1 loss=0.5 epoch=1",
    "6 2 loss=0.4 epoch=2",
  ]);
  assert.deepEqual(await read("step,reward,kl", "1,0.5,", "2,nan,0.2", "As said, 3, 0.5 it is", "4,0.5,0.1"), [
    "4 1 reward=0.5",
    "5 2 reward=NaN kl=0.2",
  ]);
});
