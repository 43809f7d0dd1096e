import assert from "node:assert/strict";
import { withoutPrefix } from "../../../../data/adapters/source/prefix.ts";

Deno.test("withoutPrefix() takes off what loggers put before a line, one after the other", () => {
  for (
    const prefix of [
      "(TaskRunner pid=123) ",
      "(main_task pid=63313, ip=10.0.0.1) ",
      "[rank0]: ",
      "[rank 3] ",
      "2026-03-11 14:22:07,123 ",
      "[2026-03-11T14:22:07.5Z] - ",
      "INFO:trl.trainer.grpo_trainer:",
      "INFO:root:",
      "[INFO|trainer.py:2134] 2026-03-11 14:22:07,123 >> ",
      "2026-03-11 14:22:07 - INFO - ",
      "(WorkerDict pid=7) [rank1]: ",
      "",
    ]
  ) assert.equal(withoutPrefix(`${prefix}'loss': 0.5}`), "'loss': 0.5}", prefix);
});

Deno.test("withoutPrefix() leaves a line that only begins like a prefix", () => {
  const lines = [
    "reward: 1",
    "2026 runs",
    "INFO is no prefix",
    "(see pid) x",
    "  [rank0]: indented",
    "[0.5, 1]",
    "{'a': 1}",
  ];
  for (const line of lines) assert.equal(withoutPrefix(line), line);
});
