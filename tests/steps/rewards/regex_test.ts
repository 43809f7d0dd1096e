import assert from "node:assert/strict";
import { toFileUrl } from "@deno/std/path/to_file_url.js";
import { regex } from "../../../steps/rewards/regex.ts";
import { rewardBatch } from "./batch.ts";

Deno.test("regex.score() finds the pattern anywhere, every time anew", () => {
  const batch = rewardBatch(["xay", "A", "b", "a"]);
  assert.deepEqual(regex.score(regex.params.parse({ pattern: "a" }), batch), [1, 0, 0, 1]);
  assert.deepEqual(
    regex.score(regex.params.parse({ pattern: "^a$", ignore_case: true, found: -1, missing: 0.5 }), batch),
    [0.5, -1, 0.5, -1],
  );
});

Deno.test("regex.isolated() computes the same in a file that imports nothing", async () => {
  const given = regex.params.parse({ pattern: "^A", ignore_case: true, found: 2, missing: -1 });
  const { file, options } = regex.isolated!(given)!;
  assert(!/^import /m.test(await Deno.readTextFile(file)));
  const { score } = await import(toFileUrl(file).href);
  const batch = rewardBatch(["ab", "ba"]);
  assert.deepEqual([score(batch, options), regex.score(given, batch)], [[2, -1], [2, -1]]);
});
