/** Rows by train step: reading, replacing, windows, rolling back. @module */
import assert from "node:assert/strict";
import type { TableName } from "../../../data/columns.ts";
import { tableOf, tableOfRows } from "../../../data/tables/mod.ts";
import { RunTables } from "../../../workflows/store/run_tables.ts";

const metrics = (loss: number) => ({ metrics: tableOfRows("metrics", [{ loss }]) });
const values = (tables: RunTables, column: string, name: TableName, steps = 1) => {
  const table = tables.history(name, steps);
  return table.numRows() === 0 ? [] : Array.from(table.array(column) as number[]);
};

Deno.test("write() replaces rows of the current train step only and fills in the train step", () => {
  const tables = new RunTables("all");
  for (let step = 1; step <= 4; step++) {
    tables.advance();
    tables.write(metrics(-1), "a");
    tables.write(metrics(step), "b");
  }
  assert.deepEqual(values(tables, "loss", "metrics", 9), [1, 2, 3, 4]);
  assert.deepEqual(values(tables, "train_step", "metrics", 2), [3, 4]);
  assert.deepEqual(values(tables, "loss", "metrics"), [4]);
  tables.advance();
  assert.deepEqual(values(tables, "loss", "metrics"), []);
});

Deno.test("write() keeps rows of other steps in evaluations and replaces the writer's own", () => {
  const tables = new RunTables("all");
  const row = (id: string, prompt_id: number) => ({
    evaluations: tableOfRows("evaluations", [{ step_id: id, prompt_id }]),
  });
  tables.write(row("during", 1), "during");
  tables.write(row("after", 2), "after");
  tables.write(row("during", 3), "during");
  assert.deepEqual(values(tables, "prompt_id", "evaluations"), [2, 3]);
});

Deno.test("write() replaces prompts as a whole, whatever the train step", () => {
  const tables = new RunTables("all");
  tables.write({ prompts: tableOf("prompts", { prompt_id: [0, 1], prompt: ["a", "b"] }) }, "load_prompts");
  tables.advance();
  assert.equal(tables.table("prompts").numRows(), 2);
  tables.write({ prompts: tableOf("prompts", { prompt_id: [7], prompt: ["c"] }) }, "load_prompts");
  assert.deepEqual(values(tables, "prompt_id", "prompts"), [7]);
});

Deno.test("history() has null where an earlier train step lacks a column", () => {
  const tables = new RunTables("all");
  tables.advance();
  tables.write({ metrics: tableOfRows("metrics", [{ loss: 1 }]) }, "a");
  tables.advance();
  tables.write({ metrics: tableOfRows("metrics", [{ kl: 2 }]) }, "a");
  assert.deepEqual(values(tables, "loss", "metrics", 2), [1, null]);
  assert.deepEqual(values(tables, "kl", "metrics", 2), [null, 2]);
});

Deno.test("rollback() takes back rows and train steps since the mark", () => {
  const tables = new RunTables("all");
  tables.advance();
  tables.write(metrics(1), "a");
  tables.mark();
  tables.write(metrics(10), "a");
  tables.advance();
  tables.write(metrics(20), "a");
  tables.advance();
  tables.rollback();
  assert.equal(tables.trainStep, 1);
  assert.deepEqual(values(tables, "loss", "metrics", 9), [1]);
  tables.advance();
  tables.write(metrics(2), "a");
  assert.deepEqual(values(tables, "loss", "metrics", 9), [1, 2]);
});

Deno.test("history() of completions is the same before and after forgetting", () => {
  const tables = new RunTables(2);
  for (let step = 1; step <= 5; step++) {
    tables.advance();
    tables.write({ completions: tableOfRows("completions", [{ prompt_id: step, sample: 0 }]) }, "a");
  }
  assert.deepEqual(values(tables, "prompt_id", "completions", 4), [4, 5]);
  tables.forget();
  assert.deepEqual(values(tables, "prompt_id", "completions", 4), [4, 5]);
  assert.deepEqual([...tables.rowsBetween(0, 9).get("completions")!.parts].map(({ trainStep }) => trainStep), [4, 5]);
});

Deno.test("history() asks no archive for train steps before the first", () => {
  const tables = new RunTables("all");
  let asked = 0;
  tables.archive = () => (asked++, []);
  for (let step = 1; step <= 3; step++) {
    tables.advance();
    tables.write({ messages: tableOf("messages", { train_step: [step] }) }, "a");
    assert.equal(values(tables, "train_step", "messages", 128).length, step);
  }
  assert.equal(asked, 0);
});

Deno.test("history() reaches as far back as a diagnosis looks, also where no archive has what memory forgot", () => {
  const names = ["metrics", "updates", "messages", "findings", "evaluations"] as const;
  const tables = new RunTables("all");
  for (let step = 1; step <= 200; step++) {
    tables.advance();
    tables.write(Object.fromEntries(names.map((name) => [name, tableOf(name, { train_step: [step] })])), "a");
    tables.forget();
  }
  assert.deepEqual(names.map((name) => values(tables, "train_step", name, 200).length), [200, 200, 200, 200, 200]);
});
