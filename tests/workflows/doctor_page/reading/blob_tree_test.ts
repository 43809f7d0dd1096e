import assert from "node:assert/strict";
import { walkTree } from "../../../../data/adapters/source/walk_tree.ts";
import { diskOf } from "../../../../workflows/doctor_page/reading/blob_tree.ts";

Deno.test("diskOf() has folders and files as their paths say, and names a run of ours that it cannot give", async () => {
  const paths = ["./run/b.log", "./run/sub/a.csv", "./run/own/run.json", "./run/own/tables/metrics/1-2.arrow"];
  const { files, left } = await walkTree("./run", diskOf(paths));
  assert.deepEqual(files.map(({ path }) => path), ["./run/b.log", "./run/sub/a.csv"]);
  assert.match(left[0]!.reason, /a run of Nonzero is read from its folder/);
  assert.deepEqual((await walkTree("./none", diskOf([]))).files, []);
});
