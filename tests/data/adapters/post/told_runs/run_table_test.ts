import assert from "node:assert/strict";
import { claimsOf, readPost, recordsOf, settingsOf, toldOf } from "../read_post.ts";

const table = (head: string, ...rows: string[]) =>
  [head, head.replace(/[^|]+/g, "---"), ...rows].map((row) => `| ${row} |`).join("\n");
const read = (text: string) => readPost(`GRPO.\n\n${text}\n`);

Deno.test("a table of runs by a setting, a seed or a name is no course of one run", async () => {
  for (
    const text of [
      table("seed | reward | kl", "1 | 0.71 | 0.03", "2 | 0.69 | 0.03", "3 | 0.12 | 0.02"),
      table("lr | reward | kl", "1e-6 | 0.66 | 0.08", "3e-7 | 0.31 | 0.02"),
      table("beta | 報酬", "0.0 | 0.74", "0.1 | 0.45"),
      table("实验 | 奖励", "1 | 0.72", "2 | 0.44"),
      table(" | run A | run B", "reward | 0.72 | 0.44", "kl | 0.1 | 0.2"),
    ]
  ) {
    const intake = await read(text);
    assert.deepEqual([recordsOf(intake), toldOf(intake), settingsOf(intake)], [[], [], []], text);
    assert.ok(claimsOf(intake).every((claim) => claim.startsWith("elsewhere")), claimsOf(intake).join());
  }
});

Deno.test("the row that is broken is the run where something is asked, with its option and its numbers", async () => {
  const rows = table("lr | reward | grad_norm", "1e-6 | 0.6 | 0.4", "1e-4 | 0.0 | nan");
  const intake = await read(`${rows}\n\nWhy is the last row broken?`);
  assert.deepEqual(settingsOf(intake), ["6 learning_rate=0.0001"]);
  assert.deepEqual(claimsOf(intake), ["6 reward.zero", "6 grad_norm.not_finite"]);
  assert.deepEqual(settingsOf(await read(`${rows}\n\nWe use 1e-6.`)).includes("6 learning_rate=0.0001"), false);
});

Deno.test("a column that is a run is read like a row", async () => {
  const intake = await read(
    `${table(" | bf16 | fp16", "loss | 1.21 | nan", "grad_norm | 0.7 | nan")}\n\nI need fp16. What can I do?`,
  );
  assert.deepEqual(claimsOf(intake).filter((claim) => /^\d/.test(claim)), [
    "5 loss.not_finite",
    "5 grad_norm.not_finite",
  ]);
});

Deno.test("a seed whose row is broken is the run, whatever is asked", async () => {
  const intake = await read(table("seed | loss", "0 | 1.2", "1 | nan", "2 | 1.3"));
  assert.deepEqual(claimsOf(intake).filter((claim) => /^\d/.test(claim)), ["6 loss.not_finite"]);
});

Deno.test("a table of one row, of train steps or of other things is left to who reads those", async () => {
  assert.equal(recordsOf(await read(table("lr | reward | kl", "1e-6 | 0.55 | 0.03"))).length, 1);
  assert.equal(recordsOf(await read(table("step | reward", "10 | 0.3", "20 | 0.4"))).length, 2);
  const names = await read(table("setting | value", "lr | 1e-6", "beta | 0.1"));
  assert.deepEqual(settingsOf(names), ["5 learning_rate=0.000001", "6 beta=0.1"]);
});
