import assert from "node:assert/strict";
import { finish } from "../../../../../data/adapters/run/finish.ts";
import { shown } from "../../read_text.ts";
import { readPost, recordsOf } from "../read_post.ts";

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
    ["checkpoints", "| checkpoint | reward | KL to ref |", "|---|---|---|", "| ckpt-10 | 0.5 | 0.01 |"],
    ["steps in words", "| 训练步 | 平均奖励 | KL 散度 |", "|---|---|---|", "| 第10步 | 0.5 | 0.01 |"],
    ["updates", "| Mise à jour | Récompense moyenne | KL |", "|---|---|---|", "| 10 | 0,5 | 0,01 |"],
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

Deno.test("TableReader reads thousands of cells that end with a k", async () => {
  assert.deepEqual(
    await read("| step | length | reward |", "|---|---|---|", "| 1k | 1.2k | 0.5 |", "| 2k | 2 K | 0.5 |"),
    ["5 1000 completion_length=1200 reward=0.5", "6 2000 completion_length=2000 reward=0.5"],
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

Deno.test("TableReader keeps the sign of a cell that is set with a dash", async () => {
  const intake = await readPost("Why?\n\n| step | reward |\n|---|---|\n| 10 | –4.2 |\n| 20 | −3.1 |\n| 30 | ‑0.3 |\n");
  assert.deepEqual(recordsOf(intake), ["5 10 reward=-4.2", "6 20 reward=-3.1", "7 30 reward=-0.3"]);
});

Deno.test("TableReader reads the number of a cell with its spread, arrows, and two numbers under two names", async () => {
  assert.deepEqual(
    await read(
      "| step | reward (± std) | KL |",
      "|---|---|---|",
      "| 1 | 0.62 ± 0.20 | 1.3 ↑ |",
      "| 2 | 0.7+/-0.1 | 1.4 |",
    ),
    ["5 1 reward=0.62 kl=1.3", "6 2 reward=0.7 kl=1.4"],
  );
  assert.deepEqual(
    await read("step  reward/kl   loss / grad_norm", "100   0.62/0.01   0.01 / 0.8", "200   0.66/0.02   0.01 / 0.7"),
    ["4 100 reward=0.62 kl=0.01 loss=0.01 grad_norm=0.8", "5 200 reward=0.66 kl=0.02 loss=0.01 grad_norm=0.7"],
  );
});

Deno.test("TableReader reads a head of two rows", async () => {
  assert.deepEqual(
    await read(
      "| | Train | | Eval | |",
      "|---|---|---|---|---|",
      "| step | loss | acc | loss | acc |",
      "| 100 | 0.5 | 0.6 | 0.7 | 0.8 |",
      "| 200 | 0.4 | 0.6 | 0.9 | 0.7 |",
    ),
    ["6 100 loss=0.5 preference_accuracy=0.6", "7 200 loss=0.4 preference_accuracy=0.6"],
  );
});

Deno.test("TableReader says which columns it does not read, and marks those of a metric", async () => {
  const notes = async (...lines: string[]) => {
    const { skipped, messages } = await readPost(["Why?", "", ...lines, "", "Thanks"].join("\n"));
    const of = skipped.filter(({ reason }) => reason.includes("column")).map(({ reason }) => reason);
    return [of, messages.filter(({ kind }) => kind === "unread_column").map(({ text }) => text)];
  };
  assert.deepEqual(
    await notes("| step | reward (lr 1e-6) | reward (lr 1e-5) |", "|---|---|---|", "| 1 | 0.6 | 0.3 |"),
    [['column "reward (lr 1e-5)" of a table not read: another column holds this metric already'], ["column 3"]],
  );
  assert.deepEqual(await notes("| step | KL | reward |", "|---|---|---|", "| 1 | 0.6 | good: see 2 below 3 |"), [
    ['column "reward" of a table not read'],
    ["column 3"],
  ]);
  assert.deepEqual(await notes("| step | KL | widgets |", "|---|---|---|", "| 1 | 0.6 | 12 |"), [
    ['column "widgets" of a table not read'],
    [],
  ]);
  assert.deepEqual(await notes("| step | KL | remark |", "|---|---|---|", "| 1 | 0.6 | fine |"), [[], []]);
});

Deno.test("TableReader reads thousands of train steps in all their forms", async () => {
  assert.deepEqual(
    await read(
      "| step | loss |",
      "|---|---|",
      "| 1.000 | 0.5 |",
      "| 1 500 | 0.4 |",
      "| 2,000 | 0.3 |",
      "| 2.5k | 0.2 |",
    ),
    ["5 1000 loss=0.5", "6 1500 loss=0.4", "7 2000 loss=0.3", "8 2500 loss=0.2"],
  );
});

Deno.test("TableReader tells losses and scores of held-out rows from those of training, by any word for them", async () => {
  const intake = await readPost([
    "Hi, why is it so?",
    "",
    "| Mise à jour | Loss train, 70 cibles | Loss dev, 140 cibles | val acc | val pass@1 |",
    "|---|---|---|---|---|",
    "| 100 | 0,235 | 1,168 | 40 % | 0,3 |",
  ].join("\n"));
  const [run] = finish("post.md", intake).map(shown);
  const rows = ({ columns }: { columns: ReadonlyMap<string, readonly unknown[]> }) =>
    [...columns].map(([name, cells]) => `${name}=${cells[0]}`);
  assert.deepEqual(rows(run!.metrics), ["loss=0.235"]);
  assert.deepEqual(rows(run!.evaluations), ["loss=1.168", "accuracy=0.4", "val_pass@1/accuracy=0.3"]);
});

const HEAD = ["| step | reward | kl |", "| --- | --- | --- |", "| 100 | .12 | .01 |", "| 200 | .42 | .02 |"];
const FIRST = ["5 100 reward=0.12 kl=0.01", "6 200 reward=0.42 kl=0.02"];

Deno.test("TableReader goes on behind a row without a train step, and lists one that says something", async () => {
  const gap = await read(...HEAD, "| ... | ... | ... |", "| 900 | 0.02 | 14 |");
  assert.deepEqual(gap, [...FIRST, "8 900 reward=0.02 kl=14"]);
  const text = ["Hi, why is it so?", "", ...HEAD, "| **resumed with lr 1e-4** | | |", "| 400 | 0.0 | 12 |"].join("\n");
  const intake = await readPost(text);
  assert.deepEqual(recordsOf(intake), [...FIRST, "8 400 reward=0 kl=12"]);
  assert.ok(
    intake.skipped.some(({ line, reason }) => line === 7 && reason === "row of a table without a train step"),
  );
  assert.deepEqual((await read(...HEAD, "| end | NaN | NaN |")).length, 3);
});

Deno.test("TableReader takes a train step that comes again, a second run below a first one, and newest first", async () => {
  const again = await read(...HEAD, "| 200 | .01 | 8 |", "| 300 | 0.0 | 12 |");
  assert.deepEqual(again.slice(2), ["8 300 reward=0 kl=12"]);
  const second = await read(...HEAD, "| 100 | .31 | 3 |", "| 200 | .05 | 9.5 |");
  assert.deepEqual(second.length, 4);
  const turned = await read(...HEAD.slice(0, 2), "| 300 | .5 | .1 |", "| 200 | .4 | .1 |", "| 100 | .3 | .1 |");
  assert.deepEqual(turned.map((row) => row.split(" ")[1]), ["100", "200", "300"]);
});

Deno.test("TableReader reads a row of units as none, a share of a count, a step of all, and an infinity with its sign", async () => {
  assert.deepEqual(
    await read(...HEAD.slice(0, 2), "| - | [0-1] | nats |", "| 100/500 | 12/64 | -inf |", "| 200/500 | 24/64 | .1 |"),
    [
      "6 100 reward=0.1875 kl=-Infinity",
      "7 200 reward=0.375 kl=0.1",
    ],
  );
});

Deno.test("TableReader applies the unit of a column's head, once", async () => {
  const rows = ["| 1 | 12 | 0.8 | 40 |", "| 2 | 15 | 90% | 45 |"];
  assert.deepEqual(await read("| step (k) | KL (×10⁻³) | truncated (%) | reward |", "|---|---|---|---|", ...rows), [
    "5 1000 reward=40 kl=0.012 truncated_fraction=0.008",
    "6 2000 reward=45 kl=0.015 truncated_fraction=0.9",
  ]);
});

Deno.test("TableReader takes commas for those of decimals wherever the table shows it", async () => {
  assert.deepEqual(await read("| Schritt | loss |", "|---|---|", "| 1 | 1,934 |", "| 2 | 1,204 |", "| 3 | 0,980 |"), [
    "5 1 loss=1.934",
    "6 2 loss=1.204",
    "7 3 loss=0.98",
  ]);
});

Deno.test("TableReader says of a column of unknown numbers that run off that it was not read, and of no other", async () => {
  const of = async (head: string, ...cells: string[]) => {
    const rows = cells.map((cell, i) => `| ${100 * (i + 1)} | 0.${i + 3} | ${cell} |`);
    const text = ["Hi, GRPO.", "", `| step | reward | ${head} |`, "|---|---|---|", ...rows].join("\n");
    return (await readPost(text)).messages.some(({ kind }) => kind === "unread_column");
  };
  assert.equal(await of("toxic answers", "0.05", "0.4", "0.98"), true);
  assert.equal(await of("toxic answers", "0.05", "0.06", "0.05"), false);
  assert.equal(await of("time (s)", "5", "60", "900"), false);
});
