import assert from "node:assert/strict";
import { BATCH_RULES } from "../../../../workflows/preflight/foreign/batch_rules.ts";
import { firesWith, testRules } from "./cases.ts";

testRules(BATCH_RULES);

Deno.test("groups_not_whole takes a default where nothing is written, and none where a file that is not at hand may say it", async () => {
  const rows = "--per_device_train_batch_size 8";
  const instead = (words: string) => firesWith("groups_not_whole", rows, words);
  assert.deepEqual(await Promise.all(["--max_steps 100", "--config recipe.yaml"].map(instead)), [true, false]);
});
