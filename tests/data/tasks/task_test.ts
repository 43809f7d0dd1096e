import assert from "node:assert/strict";
import { z } from "zod";
import { defineTask } from "../../../data/tasks/task.ts";

const written = { about: "", params: z.strictObject({}), rows: () => [], maxNewTokens: () => 1 };

Deno.test("defineTask() gives back the task", () => {
  const task = { ...written, columns: {}, hasImages: true, verify: () => false };
  assert.deepEqual(defineTask(task), task);
});

Deno.test("a task that says nothing else has no columns of its own, no images, and wants the answer letter by letter", () => {
  const { columns, hasImages, verify } = defineTask(written);
  assert.deepEqual([columns, hasImages], [{}, false]);
  assert.deepEqual(["85 ", "085"].map((text) => verify(text, { answer: "85" })), [true, false]);
});
