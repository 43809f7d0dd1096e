import assert from "node:assert/strict";
import { taggedAnswer } from "../../../../steps/rewards/visual/answer.ts";

Deno.test("taggedAnswer() gives what stands in the first tags, else the whole text", () => {
  for (const lines of [true, false]) {
    assert.equal(taggedAnswer("<think>a</think><answer> b </answer><answer>c</answer>", { lines }), "b");
    assert.equal(taggedAnswer(" b ", { lines }), "b");
    assert.equal(taggedAnswer("<answer>b", { lines }), "<answer>b");
  }
  assert.equal(taggedAnswer("<answer>\nb</answer>", { lines: true }), "b");
  assert.equal(taggedAnswer("<answer>\nb</answer>", { lines: false }), "<answer>\nb</answer>");
});
