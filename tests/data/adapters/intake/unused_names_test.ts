import assert from "node:assert/strict";
import { nameInfo } from "../../../../data/adapters/intake/name_info.ts";
import { isUnused } from "../../../../data/adapters/intake/unused_names.ts";

Deno.test("isUnused() knows what stock trainers print and no column takes, and no name of a user's own", () => {
  const stock = [
    "eval_runtime",
    "eval_clip_ratio/low_min",
    "clip_ratio/high_max",
    "perf/mfu/actor",
    "critic/rewards/max",
  ];
  for (const name of [...stock, "timing_s/old_log_prob", "prompt_length/min", "total_length", "tot_len"]) {
    assert.deepEqual([name, nameInfo(name).unused], [name, true]);
  }
  assert.deepEqual(["loss", "timing_s/gen"].map((name) => nameInfo(name).unused), [false, false]);
  assert.deepEqual(["my/own/metric", "runtime_bonus", "rewards/mine"].map(isUnused), [false, false, false]);
});
