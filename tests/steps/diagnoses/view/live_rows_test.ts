import assert from "node:assert/strict";
import { tableOf } from "../../../../data/tables/mod.ts";
import { liveRows, rowsUntil } from "../../../../steps/diagnoses/view/live_rows.ts";
import { withRun } from "../../contexts/training_run.ts";

Deno.test("liveRows() has a window of metrics and updates, and every evaluation", () =>
  withRun((run) => {
    for (let step = 1; step <= 12; step++) {
      run.tables.advance();
      run.tables.write({
        metrics: tableOf("metrics", { train_step: [step], phase: ["rollout"], loss: [step] }),
        updates: tableOf("updates", { train_step: [step, step], update: [1, 2] }),
        ...(step === 1
          ? { evaluations: tableOf("evaluations", { train_step: [1], step_id: ["before"], correct: [true] }) }
          : {}),
      }, "test");
    }
    const { tables, log } = liveRows(run.context("diagnose"), 8);
    assert.equal(log, null);
    assert.equal(tables.metrics!.numRows(), 8);
    assert.equal(tables.updates!.numRows(), 16);
    assert.equal(tables.evaluations!.numRows(), 1);
    assert.equal(tables.completions!.numRows(), 0);
  }));

Deno.test("rowsUntil() takes the later train steps away, and leaves the completions", () => {
  const steps = [1, 2, 2, 3, 5],
    rows = {
      tables: {
        metrics: tableOf("metrics", { train_step: steps, loss: steps }),
        evaluations: tableOf("evaluations", { train_step: [1, 3], step_id: ["a", "a"], correct: [true, false] }),
        completions: tableOf("completions", { train_step: [5], text: ["5"] }),
      },
      log: null,
    };
  const { tables } = rowsUntil(rows, 2);
  assert.deepEqual([...tables.metrics!.array("train_step")], [1, 2, 2]);
  assert.equal(tables.evaluations!.numRows(), 1);
  assert.equal(tables.completions!.numRows(), 1);
  assert.equal(tables.updates, undefined);
  assert.equal(rowsUntil(rows, 5).tables.metrics, rows.tables.metrics);
});
