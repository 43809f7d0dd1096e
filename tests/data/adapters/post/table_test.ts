import assert from "node:assert/strict";
import { readPost, recordsOf } from "./read_post.ts";

const read = async (...lines: string[]) => recordsOf(await readPost(["Hi, why is it so?", "", ...lines].join("\n")));

for (
  const [what, head, rule, row] of [
    ["pipes", "| step | reward | KL |", "|---|---|---|", "| 10 | 0.5 | 0.01 |"],
    ["pipes without ends", "step | reward | KL", "--|--|--", "10 | 0.5 | 0.01"],
    ["tabs", "step\treward\tKL", "", "10\t0.5\t0.01"],
    ["wide spaces", "step   reward   KL", "", "10     0.5      0.01"],
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
});

Deno.test("TableReader takes __proto__ and constructor for heads like others, and a row of 10000 cells for none", async () => {
  assert.deepEqual(await read("| step | __proto__ | reward |", "|---|---|---|", "| 1 | 2 | 0.5 |", "| 2 | 2 | 0.5 |"), [
    "5 1 reward=0.5",
    "6 2 reward=0.5",
  ]);
  assert.deepEqual(await read("| step | reward |", "|---|---|", "| 1 ".repeat(10_000)), []);
});

Deno.test("TableReader keeps the sign of a cell that is set with a dash", async () => {
  const intake = await readPost("Why?\n\n| step | reward |\n|---|---|\n| 10 | –4.2 |\n| 20 | −3.1 |\n| 30 | ‑0.3 |\n");
  assert.deepEqual(recordsOf(intake), ["5 10 reward=-4.2", "6 20 reward=-3.1", "7 30 reward=-0.3"]);
});
