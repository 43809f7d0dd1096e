import { concat } from "@deno/std/bytes/concat.js";
import assert from "node:assert/strict";
import { toWandb, wandbFolder, wandbId } from "../../../../data/tables/formats/wandb.ts";
import { readFiles } from "../../adapters/read_text.ts";
import { RUN, step } from "./tiny_tracker_run.ts";

Deno.test("toWandb() is whole where records end at, before and behind the end of a block", async () => {
  // A record of history about as long as what a block of 32 KiB has left: each length around its end is tried.
  for (let over = -12; over <= 12; over++) {
    const filler = step(1, [["loss", 1], [`reward.${"x".repeat(32000 + over * 8)}`, 0]]);
    const bytes = concat([...toWandb(RUN, [filler, step(2, [["loss", 2]]), step(3, [["loss", 3]])], [])]);
    const run = await readFiles({ "run-a.wandb": bytes });
    assert.equal(run.sources[0]!.partial, null, String(over));
    assert.deepEqual(Array.from(run.rows.tables.metrics!.array("loss")), [1, 2, 3], String(over));
  }
});

Deno.test("toWandb() writes one row per train step, its phases beside each other", async () => {
  const bytes = concat([...toWandb(RUN, [step(4, [["loss", 1]], "sft"), step(4, [["loss", NaN]])], ["a.parquet"])]);
  const { metrics } = (await readFiles({ "run-a.wandb": bytes })).rows.tables;
  assert.deepEqual(metrics!.objects({ limit: 9 }).map((row) => Object.values(row as object)), [[4, "sft", 1], [
    4,
    "rollout",
    NaN,
  ]]);
  const text = new TextDecoder().decode(bytes);
  assert.equal(text.split("_timestamp").length - 1, 2, "once in history, once in the summary");
  assert(text.includes("a.parquet") && text.includes(JSON.stringify('x"\ny')));
});

Deno.test("wandbFolder() and wandbId() have signs that W&B takes", () => {
  assert.equal(wandbId(RUN.id), "20260102-030405-a_b-c");
  assert.equal(wandbFolder(RUN), "offline-run-20260102_030405-20260102-030405-a_b-c");
});
