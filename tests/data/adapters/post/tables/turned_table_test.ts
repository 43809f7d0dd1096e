import assert from "node:assert/strict";
import { finish } from "../../../../../data/adapters/run/finish.ts";
import { shown } from "../../read_text.ts";
import { claimsOf, readPost, recordsOf, toldOf } from "../read_post.ts";

const read = (...lines: string[]) => readPost(["Hi, why is it so?", "", ...lines].join("\n"));

Deno.test("TurnedTable makes a record of each column that is a train step, and one of its held-out metrics", async () => {
  const intake = await read(
    "| metric | step 1 | step 100 |",
    "|---|---|---|",
    "| **reward** | 0.12 | 0.31 |",
    "| train loss | 1,9 | 1,2 |",
    "| eval loss | – | 1,168 |",
    "| remark | good | better |",
  );
  assert.deepEqual(recordsOf(intake), ["5 1 reward=0.12 loss=1.9", "5 100 reward=0.31 loss=1.2"]);
  const [run] = finish("post.md", intake).map(shown);
  assert.deepEqual(run!.evaluations.columns.get("loss"), [1.168]);
});

Deno.test("TurnedTable makes records by epoch", async () => {
  const [run] = finish("post.md", await read("| | epoch 1 | epoch 3 |", "|---|---|---|", "| loss | 2 | 1 |")).map(
    shown,
  );
  assert.deepEqual(run!.metrics.columns.get("epoch"), [1, 3]);
  assert.deepEqual(run!.metrics.columns.get("loss"), [2, 1]);
});

Deno.test("TurnedTable tells of a beginning and an end what a sentence tells by an arrow", async () => {
  const intake = await read(
    "| | before | after |",
    "|---|---|---|",
    "| eval loss | 1.62 | 1.18 |",
    "| entropy | 1.2 | 0.01 |",
  );
  assert.deepEqual(toldOf(intake), ["5 eval_loss course 1.62 1.18", "6 entropy course 1.2 0.01"]);
  assert.deepEqual(claimsOf(intake), ["5 eval_loss.falls", "6 entropy.collapses"]);
});

Deno.test("TurnedTable tells that what is least and most holds throughout", async () => {
  const { told } = await read(
    "| metric | min | mean | max |",
    "|---|---|---|---|",
    "| reward | 0 | 0 | 0 |",
    "| KL | 0 | 1 | 2 |",
  );
  assert.deepEqual(told.map(({ name, values, throughout }) => `${name} ${values} ${throughout}`), [
    "reward 0 true",
    "critic/score/min 0 true",
    "critic/score/max 0 true",
    "KL 1 false",
  ]);
});

Deno.test("TurnedTable tells on how many records a value was", async () => {
  const { told } = await read(
    "| métrique | valeur observée | occurrences |",
    "|---|---|---:|",
    "| `completions/clipped_ratio` | `1` | 39 / 40 (1 fois `0.975`) |",
    "| reward | 0.5 | 3 / 40 |",
    "| KL | 0.1 | every step |",
    "| loss | 0 | 36 / 40 |",
    "| grad_norm | 0 | 35 / 40 |",
  );
  assert.deepEqual(told.map(({ name, values, throughout, to }) => `${name} ${values} ${throughout} ${to}`), [
    "completions/clipped_ratio 1 true 40",
    "reward 0.5 false null",
    "KL 0.1 true null",
    "loss 0 true 40",
    "grad_norm 0 false null",
  ]);
});

Deno.test("TurnedTable takes no columns of runs, machines or settings", async () => {
  for (const head of ["seed 0 | seed 1", "1 GPU | 2 GPUs", "LoRA | full"]) {
    const intake = await read(`| metric | ${head} |`, "|---|---|---|", "| loss | 2 | 1 |");
    assert.deepEqual(recordsOf(intake), []);
  }
});
