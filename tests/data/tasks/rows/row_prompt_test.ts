import assert from "node:assert/strict";
import { conversation } from "../../../../data/tasks/rows/row_prompt.ts";

Deno.test("conversation() gives the messages before the last to whoever puts images into them", () => {
  const list = [{ from: "human", value: "<image>A" }, { from: "gpt", value: "B" }];
  const { prompt, answer } = conversation(list, (before) => JSON.stringify(before));
  assert.deepEqual(JSON.parse(prompt), list.slice(0, 1));
  assert.deepEqual(JSON.parse(answer), [{ role: "assistant", content: "B" }]);
  assert.deepEqual(JSON.parse(conversation(list).prompt), [{ role: "user", content: "<image>A" }]);
});
