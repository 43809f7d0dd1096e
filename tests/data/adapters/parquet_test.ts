import assert from "node:assert/strict";
import { parquetWriteBuffer } from "hyparquet-writer";
import { column, readFiles } from "./read_text.ts";

Deno.test("PARQUET reads TRL's completions; the step comes from the column or the file's name", async () => {
  const bytes = new Uint8Array(parquetWriteBuffer({
    columnData: [
      { name: "prompt", data: ["1+1=", "1+1="] },
      { name: "completion", data: ["2", "3"] },
      { name: "accuracy_reward", data: [1, NaN], type: "DOUBLE" },
      { name: "advantage", data: [0.7, -0.7], type: "DOUBLE" },
    ],
  }));
  const run = await readFiles({ "completions/completions_00005.parquet": bytes });
  assert.deepEqual(run.completions.map(({ train_step, text, advantage }) => [train_step, text, advantage]), [
    [5, "2", 0.7],
    [5, "3", -0.7],
  ]);
  assert.deepEqual(run.completions.map(({ rewards }) => rewards.get("accuracy_reward")), [1, NaN]);
});

Deno.test("PARQUET reads metrics by the row", async () => {
  const bytes = new Uint8Array(parquetWriteBuffer({
    columnData: [
      { name: "step", data: [1, 2], type: "INT32" },
      { name: "loss", data: [0.5, 0.25], type: "DOUBLE" },
      { name: "grad_norm", data: [1, 2], type: "DOUBLE" },
    ],
  }));
  const run = await readFiles({ "metrics.parquet": bytes });
  assert.deepEqual(run.metrics.train_step, [1, 2]);
  assert.deepEqual(column(run, "loss"), [0.5, 0.25]);
});

Deno.test("PARQUET names a broken file and leaves the others of the folder readable", async () => {
  const run = await readFiles({
    "completions_00001.parquet": "PAR1 and then nothing of the kind",
    "log.txt": "{'loss': 0.5, 'grad_norm': 1.0, 'epoch': 0.1}\n",
  });
  assert.match(run.sources[0]!.partial!, /^Cannot read .*completions_00001.parquet as Parquet: /);
  assert.deepEqual(column(run, "loss"), [0.5]);
});
