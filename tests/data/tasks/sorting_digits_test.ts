import assert from "node:assert/strict";
import { sortingDigits } from "../../../data/tasks/sorting_digits.ts";
import { testsOfEveryTask } from "./every_task.ts";

const rows = testsOfEveryTask("sorting_digits", 10_000);

Deno.test("sorting_digits wants the same digits, none before a larger one", () => {
  for (const { prompt, answer } of rows) {
    const digits = /^sort (\d{3,6})=$/.exec(prompt)![1]!;
    for (let i = 1; i < answer.length; i++) assert(answer[i - 1]! <= answer[i]!);
    for (const digit of "0123456789") assert.equal(digits.split(digit).length, answer.split(digit).length);
  }
});

Deno.test("sorting_digits gives what there is when more is asked for, and refuses lengths in the wrong order", () => {
  const all = sortingDigits.rows(sortingDigits.params.parse({ min_length: 2, max_length: 2, count: 1000 }));
  assert.equal(all.length, 100);
  assert(!sortingDigits.params.safeParse({ min_length: 5, max_length: 4 }).success);
});

Deno.test("sorting_digits is as hard as pairs stand in the wrong order: none of 123, all of 321, one of three of 132", () => {
  const difficulty = (digits: string) => rows.find(({ prompt }) => prompt === `sort ${digits}=`)!.difficulty;
  assert.deepEqual(["123", "321", "132"].map(difficulty), [0, 1, 1 / 3]);
});
