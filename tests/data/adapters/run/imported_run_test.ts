import assert from "node:assert/strict";
import { readText } from "../read_text.ts";
import type { ImportedRun } from "../../../../data/adapters/run/imported_run.ts";

Deno.test("an ImportedRun keeps absent, None and NaN apart in the wide view and in the observations", async () => {
  const run: ImportedRun = await readText(
    "{'loss': nan, 'kl': None, 'grad_norm': 1.0, 'epoch': 1}\n{'loss': 0.5, 'grad_norm': 1.0, 'epoch': 2}\n",
  );
  assert.deepEqual(run.metrics.columns.get("loss"), [NaN, 0.5]);
  assert.deepEqual(run.metrics.columns.get("kl"), [null, null]);
  const kl = [...run.observations()].filter(({ name }) => name === "kl");
  assert.deepEqual(
    kl.map(({ train_step, value }) => [train_step, value]),
    [[1, null]],
    "the absent one is no observation",
  );
});

Deno.test("every column of a WideTable has a value per row, and a source and a line for each", async () => {
  const { metrics, sources } = await readText("{'loss': 1.0, 'epoch': 1}\n{'kl': 0.5, 'loss': 2.0, 'epoch': 2}\n");
  for (const values of metrics.columns.values()) assert.equal(values.length, metrics.rows);
  assert.deepEqual([metrics.train_step.length, metrics.line, metrics.source], [2, [1, 2], [0, 0]]);
  assert.equal(sources[0]!.path, "-");
});
