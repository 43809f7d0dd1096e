/** What holds for every task: tests call it with the task and its name in TASKS. */
import assert from "node:assert/strict";
import { type Task, type TaskName, TASKS } from "../../../data/tasks/mod.ts";
import type { TaskRow } from "../../../data/tasks/task.ts";
import { type Split, splitOf } from "../../../data/datasets/split.ts";

const FRACTIONS = { train: 0.8, validation: 0.1, held_out: 0.1 };

/** What makes a prompt one: its text, and what it shows. */
const shown = ({ prompt, images = [] }: TaskRow) => [prompt, ...images.map((file) => file.join(" "))].join();

/** The row as `prompts` holds it. */
export const stored = (row: TaskRow) => ({ ...row.columns, prompt: row.prompt, answer: row.answer });

/** Registers the tests that every task passes; with defaults it has `count` prompts. */
export function testsOfEveryTask(name: TaskName, count: number): readonly TaskRow[] {
  const task: Task = TASKS[name];
  const params = task.params.parse({});
  const rows = task.rows(params);

  Deno.test(`${name}.rows() gives ${count} prompts, each once, the same every time`, () => {
    assert.equal(rows.length, count);
    assert.equal(new Set(rows.map(shown)).size, count);
    assert.deepEqual(task.rows(params), rows);
  });

  Deno.test(`${name}.rows() have difficulties from 0 to 1 that differ and exactly the task's columns`, () => {
    const difficulties = new Set(rows.map(({ difficulty }) => difficulty));
    for (const value of difficulties) assert(value >= 0 && value <= 1, `${value}`);
    assert(difficulties.size > 1);
    for (const row of rows) {
      assert.deepEqual(Object.keys(row.columns ?? {}), Object.keys(task.columns));
      assert.deepEqual([row.images !== undefined, row.split !== undefined], [task.hasImages, task.hasImages]);
    }
  });

  Deno.test(`${name}.verify() accepts every answer, white space around it, and no neighbour's`, () => {
    for (const row of rows) assert(task.verify(` ${row.answer}\n`, stored(row)), row.prompt);
    for (const bad of ["", " ", "\0", "NaN", "<answer>", "1e999", "(".repeat(5000)]) {
      assert.equal(task.verify(bad, stored(rows[0]!)), false, JSON.stringify(bad.slice(0, 9)));
    }
  });

  Deno.test(`${name}.maxNewTokens() leaves room for the longest answer and its end`, () => {
    const longest = Math.max(...rows.map(({ answer }) => answer.length));
    const room = task.maxNewTokens(params);
    assert(room > longest && room <= longest + 4, `${room} for ${longest}`);
  });

  Deno.test(`${name}: no problem lies in two splits`, () => {
    const splits = new Map<string, Split>();
    for (const row of rows) {
      const { splitKey = shown(row), split = splitOf(splitKey, FRACTIONS) } = row;
      assert.equal(splits.get(splitKey) ?? split, split);
      splits.set(splitKey, split);
    }
    assert.equal(new Set(splits.values()).size, 3);
  });
  return rows;
}
