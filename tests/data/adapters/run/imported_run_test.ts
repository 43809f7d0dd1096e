import assert from "node:assert/strict";
import { readText } from "../read_text.ts";
import type { ImportedRun } from "../../../../data/adapters/run/imported_run.ts";
import { columnArray } from "../../../../data/tables/mod.ts";

Deno.test("an ImportedRun keeps NaN apart from None and from what is absent", async () => {
  const run: ImportedRun = await readText(
    "{'loss': nan, 'kl': None, 'grad_norm': 1.0, 'epoch': 1}\n{'loss': 0.5, 'grad_norm': 1.0, 'epoch': 2}\n",
  );
  const { metrics } = run.rows.tables;
  assert.deepEqual([...columnArray(metrics!, "loss") as number[]], [NaN, 0.5]);
  assert.deepEqual([...columnArray(metrics!, "kl") as number[]], [null, null]);
});

Deno.test("every column of a WideTable has a value per row, and a source and a line for each", async () => {
  const { metrics, sources } = await readText("{'loss': 1.0, 'epoch': 1}\n{'kl': 0.5, 'loss': 2.0, 'epoch': 2}\n");
  for (const values of metrics.columns.values()) assert.equal(values.length, metrics.rows);
  assert.deepEqual([metrics.train_step.length, metrics.line, metrics.source], [2, [1, 2], ["-", "-"]]);
  assert.equal(sources[0]!.path, "-");
});
