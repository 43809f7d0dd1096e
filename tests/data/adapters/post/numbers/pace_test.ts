/** Whether a sentence tells that train steps take longer. */
import assert from "node:assert/strict";
import { slowsDown } from "../../../../../data/adapters/post/numbers/pace.ts";

Deno.test("slowsDown() is true of a step that takes three times what it took, by time or by speed", () => {
  for (
    const text of [
      "7 → 19 → 44 s/it now",
      "from 3 s/it to 30 s/it",
      "3s/it 变成 30s/it",
      "开始每步 5 秒，现在每步 60 秒",
      "1200 tokens/s at first, 300 tokens/s now",
    ]
  ) assert.equal(slowsDown(text), true, text);
});

Deno.test("slowsDown() is false of one pace, of little more, and of faster ones", () => {
  for (const text of ["2 s/it throughout", "3 s/it, then 4 s/it", "30 s/it, then 3 s/it", "loss 3 to 30"]) {
    assert.equal(slowsDown(text), false, text);
  }
});
