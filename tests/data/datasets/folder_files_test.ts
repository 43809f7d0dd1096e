import assert from "node:assert/strict";
import { join } from "node:path";
import { filesOfFolder } from "../../../data/datasets/folder_files.ts";

Deno.test("filesOfFolder() leaves numbers of shards out of the names of splits", async () => {
  const folder = await Deno.makeTempDir(),
    names = ["train-0.csv", "train-1.csv", "gsm8k_test.csv", "more/train/x.csv", "own.csv"];
  for (const name of names) {
    await Deno.mkdir(join(folder, name, ".."), { recursive: true });
    await Deno.writeTextFile(join(folder, name), "q\n1\n");
  }
  const splits = Object.fromEntries(filesOfFolder(folder, undefined).map(({ name, split }) => [name, split]));
  await Deno.remove(folder, { recursive: true });
  assert.deepEqual(splits, {
    "train-0.csv": "train",
    "train-1.csv": "train",
    "gsm8k_test.csv": "test",
    "more/train/x.csv": "train",
    "own.csv": null,
  });
});
