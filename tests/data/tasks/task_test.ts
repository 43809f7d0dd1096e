import assert from "node:assert/strict";
import { z } from "zod";
import { defineTask } from "../../../data/tasks/task.ts";

Deno.test("defineTask() gives back the task", () => {
  const task = {
    about: "",
    params: z.strictObject({}),
    columns: {},
    rows: () => [],
    verify: () => false,
    maxNewTokens: () => 1,
  };
  assert.equal(defineTask(task), task);
});
