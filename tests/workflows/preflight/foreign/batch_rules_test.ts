import assert from "node:assert/strict";
import { BATCH_RULES } from "../../../../workflows/preflight/foreign/batch_rules.ts";
import { firesWith, testRules } from "./cases.ts";

testRules(BATCH_RULES);

Deno.test("groups_not_whole takes a default where nothing is written, and none where a file that is not at hand may say it", async () => {
  const rows = "--per_device_train_batch_size 8";
  const instead = (words: string) => firesWith("groups_not_whole", rows, words);
  assert.deepEqual(await Promise.all(["--max_steps 100", "--config recipe.yaml"].map(instead)), [true, false]);
});

Deno.test("groups_not_whole counts the micro-batches of a sampling: those of an update, where nothing else is written", async () => {
  const rows = (words: string) =>
    firesWith("groups_not_whole", "--per_device_train_batch_size 8", `--per_device_train_batch_size 1 ${words}`);
  for (
    const [words, fires] of [
      ["", true],
      ["--gradient_accumulation_steps 2", true],
      ["--gradient_accumulation_steps 3", false],
      ["--gradient_accumulation_steps 3 --steps_per_generation 2", true],
      ["--gradient_accumulation_steps 2 --steps_per_generation 3", false],
      ["--gradient_accumulation_steps 2 --generation_batch_size 12", false],
    ] as const
  ) {
    assert.equal(await rows(words), fires, `4 processes × 1 row ${words}`);
  }
});
