/** Heads of CSV, and sentences with commas. */
import assert from "node:assert/strict";
import { csvHead } from "../../../../../data/adapters/post/tables/csv_head.ts";

for (
  const [line, cells] of [
    ["step,reward,kl", ["step", "reward", "kl"]],
    ["step, reward, kl", ["step", "reward", "kl"]],
    ["epoch;loss;eval_loss", ["epoch", "loss", "eval_loss"]],
    ["步数,奖励,熵", ["步数", "奖励", "熵"]],
    ['"Step","my run - train/reward","my run - train/reward__MAX"', ["Step", "train/reward", ""]],
    ["_step,train/reward", ["step", "train/reward"]],
  ] as const
) {
  Deno.test(`csvHead() reads "${line}"`, () =>
    assert.deepEqual(csvHead(line)?.cells.map((cell) => cell.trim()), cells));
}

for (
  const line of [
    "model,reward,kl",
    "step,reward | loss,kl",
    "reward,kl",
    "step,notes",
    "At each step, the reward of my run is zero, loss",
    "The reward rises, step, then it falls.",
    "step\treward",
    "| step, reward |",
    "1,0.5,0.1",
    '"step,reward',
    "step" + ",reward".repeat(1000),
    "",
  ]
) Deno.test(`csvHead() is null of "${line.slice(0, 40)}"`, () => assert.equal(csvHead(line), null));
