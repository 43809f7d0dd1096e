import assert from "node:assert/strict";
import { subtraction } from "../../../data/tasks/subtraction.ts";
import { testsOfEveryTask } from "./every_task.ts";

const rows = testsOfEveryTask("subtraction", 5050);

Deno.test("subtraction asks 81-47= and wants 34; differences are right and not negative", () => {
  assert.equal(rows.find(({ prompt }) => prompt === "81-47=")!.answer, "34");
  for (const { prompt, answer } of rows) {
    const [a, b] = prompt.slice(0, -1).split("-").map(Number);
    assert.equal(a! - b!, Number(answer));
    assert(a! >= b!);
  }
});

Deno.test("subtraction counts borrows: 81-47 has one, 88-47 none, 100 is out of reach", () => {
  const difficulty = (prompt: string) => rows.find((row) => row.prompt === prompt)!.difficulty;
  assert.deepEqual(["81-47=", "88-47=", "10-9="].map(difficulty), [0.5, 0, 0.5]);
  const three = subtraction.rows(subtraction.params.parse({ digits: 3, max_prompts: 1_000_000 }));
  // The middle digit borrows only because the last one has borrowed from it.
  assert.equal(three.find(({ prompt }) => prompt === "100-1=")!.difficulty, 2 / 3);
});

Deno.test("subtraction asks for negative differences on request", () => {
  const both = subtraction.rows(subtraction.params.parse({ digits: 1, negative: true }));
  assert.equal(both.length, 100);
  assert.deepEqual(both.find(({ prompt }) => prompt === "3-8=")!.answer, "-5");
  const room = (negative: boolean) => subtraction.maxNewTokens(subtraction.params.parse({ digits: 2, negative }));
  assert.deepEqual([room(false), room(true)], ["99".length + 1, "-99".length + 1]);
});
