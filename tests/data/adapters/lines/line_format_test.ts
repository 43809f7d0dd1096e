import assert from "node:assert/strict";
import { rankOf } from "../../../../data/adapters/lines/line_format.ts";

for (
  const [prefix, rank] of [
    ["[rank3]: ", 3],
    ["[RANK 0] ", 0],
    ["(WorkerDict pid=12, rank=1) ", 1],
    ["rank:7 ", 7],
    ["(TaskRunner pid=12) ", undefined],
    ["frank 3 said ", undefined],
    ["lora_rank: ", undefined],
  ] as const
) {
  Deno.test(`rankOf("${prefix}") is ${rank}`, () => assert.equal(rankOf(prefix), rank));
}
