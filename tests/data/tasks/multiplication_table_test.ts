import assert from "node:assert/strict";
import { testsOfEveryTask } from "./every_task.ts";

const rows = testsOfEveryTask("multiplication_table", 441);

Deno.test("multiplication_table asks 7*8= and wants 56; all products are right", () => {
  assert.equal(rows.find(({ prompt }) => prompt === "7*8=")!.answer, "56");
  for (const { prompt, answer } of rows) {
    const [a, b] = prompt.slice(0, -1).split("*").map(Number);
    assert.equal(a! * b!, Number(answer));
  }
});
