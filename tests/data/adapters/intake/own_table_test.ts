/** Exported tables of ours are the same tables again. */
import { concat } from "@deno/std/bytes/concat.js";
import assert from "node:assert/strict";
import { type TableName, TABLES } from "../../../../data/columns.ts";
import { ownTable } from "../../../../data/adapters/intake/own_table.ts";
import { toCsv, toJsonLines, toParquet, toTrainerState, trackedSteps } from "../../../../data/tables/formats/mod.ts";
import { onePiece, tableOf } from "../../../../data/tables/mod.ts";
import { readFiles } from "../read_text.ts";

const METRICS = tableOf("metrics", {
  train_step: [1, 2, 3],
  phase: ["sft", "rollout", "rollout"],
  step_id: ["fine_tune", "apply_update", "apply_update"],
  loss: [0.1, NaN, null],
  grad_norm: [1, Infinity, -Infinity],
  non_finite: [0, 3, null],
});
const COMPLETIONS = tableOf("completions", {
  train_step: [1, 2, 2],
  prompt_id: [0, 4, 4],
  sample: [0, 0, 1],
  prompt: ["a", "1+1=", "1+1="],
  answer: ["2", "2", null],
  text: ["x", 'a "quoted", line\nbreak', ""],
  truncated: [false, true, false],
  completion_tokens: [1, 3, 2],
  reward: [0, 0.3, NaN],
  advantage: [null, 0.5, -0.5],
  correct: [true, false, null],
  token_ids: [[1], [7, 8, 9], [7, 1]],
  completion_mask: [[1], [1, 0, 1], [1, 1]],
  "reward.verifier": [0, null, 1],
});
const SETTINGS = tableOf("settings", {
  name: ["temperature", "estimator"],
  option: ["temperature", null],
  value: ["0.5", '"grpo"'],
  written_type: ["number", "string"],
  system: ["nonzero", "nonzero"],
});

const UPDATES = tableOf("updates", {
  train_step: [2, 2],
  update: [1, 2],
  kl: [0, 0.3],
  loss: [0.1, NaN],
  applied: [true, false],
});

const FORMATS = {
  parquet: (name: TableName, table: typeof METRICS) => concat([...toParquet(onePiece(name, table))]),
  csv: (name: TableName, table: typeof METRICS) => [...toCsv(onePiece(name, table))].join(""),
  jsonl: (name: TableName, table: typeof METRICS) => [...toJsonLines(onePiece(name, table))].join(""),
};

const plain = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, ArrayBuffer.isView(value) ? [...value as Float32Array] : value]),
  );

for (const [format, write] of Object.entries(FORMATS)) {
  Deno.test(`tables exported as ${format} are read again with every column, of completions the last train step`, async () => {
    const tables = { metrics: METRICS, completions: COMPLETIONS, settings: SETTINGS, updates: UPDATES } as const;
    const run = await readFiles(Object.fromEntries(
      Object.entries(tables).map(([name, table]) => [`${name}.${format}`, write(name as TableName, table)]),
    ));
    assert.deepEqual([run.system, run.rows.log], ["nonzero", null]);
    const { metrics, completions, settings, updates } = run.rows.tables;
    assert.deepEqual(updates!.objects().map(plain), UPDATES.objects().map(plain));
    assert.deepEqual(metrics!.objects().map(plain), METRICS.objects().map(plain));
    assert.deepEqual(settings!.objects().map(plain), SETTINGS.objects().map(plain));
    const rows = completions!.objects().map(plain).filter(({ train_step }) => train_step === 2);
    // Token ids are long, and no rule reads them.
    const want = COMPLETIONS.objects().map(plain).slice(1).map(({ token_ids: _, ...row }) => row);
    assert.deepEqual(rows, want);
  });
}

Deno.test("a trainer state that we wrote has every metric again, with its train steps and what is not finite", async () => {
  const run = await readFiles({
    "trainer_state.json": [...toTrainerState(trackedSteps(METRICS, () => 0), 3, 3)].join(""),
  }, true);
  assert.deepEqual([run.system, run.rows.log], ["nonzero", null]);
  const rows = run.rows.tables.metrics!.objects().map((row) => {
    const { train_step, phase, step_id, loss, grad_norm, non_finite } = row as Record<string, unknown>;
    return { train_step, phase, step_id, loss, grad_norm, non_finite };
  });
  assert.deepEqual(rows, METRICS.objects().map(plain));
});

Deno.test("one exported table alone is a run of ours, and a second file of a table is left out", async () => {
  const csv = [...toCsv(onePiece("metrics", METRICS))].join("");
  const alone = await readFiles({ "somewhere.csv": csv }, true);
  assert.equal(alone.rows.tables.metrics!.numRows(), 3);
  const twice = await readFiles({ "a.csv": csv, "b.csv": csv });
  assert.equal(twice.rows.tables.metrics!.numRows(), 3);
  assert(twice.skipped.some(({ reason }) => /second file of the table "metrics"/.test(reason)));
});

Deno.test("ownTable() knows every table by its columns, and leaves other systems' files alone", () => {
  for (const name of Object.keys(TABLES) as TableName[]) assert.equal(ownTable(Object.keys(TABLES[name])), name);
  for (
    const foreign of [
      ["step", "loss", "grad_norm"],
      ["train_step", "phase", "step_id", "gpu_temperature"],
      ["prompt", "completion", "reward"],
      ["name", "value"],
    ]
  ) assert.equal(ownTable(foreign), null);
});
