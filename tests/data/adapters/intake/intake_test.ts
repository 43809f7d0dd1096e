import assert from "node:assert/strict";
import { finish } from "../../../../data/adapters/run/finish.ts";
import { Intake } from "../../../../data/adapters/intake/intake.ts";

function stage(intake: Intake, values: Record<string, number>) {
  intake.stage.reset();
  for (const [name, value] of Object.entries(values)) intake.stage.put(name, value);
}

Deno.test("Intake.commit() takes records, refuses what holds no metric", () => {
  const intake = new Intake();
  intake.openSource("log.txt", "console", 0);
  stage(intake, { loss: 0.5, epoch: 1 });
  assert.equal(intake.commit({ line: 1 }), true);
  stage(intake, { input_ids: 3, labels: 2 });
  assert.equal(intake.commit({ line: 2 }), false);
  stage(intake, { my_metric: 3 });
  assert.equal(intake.commit({ line: 3, metrics: true, step: 2 }), true);
  assert.equal(finish("log.txt", intake)[0]!.rows.tables.metrics!.numRows(), 2);
});

Deno.test("Intake.commit() joins records of one step that share no value", () => {
  const intake = new Intake();
  intake.openSource("log.txt", "console", 0);
  stage(intake, { loss: 0.5 });
  intake.commit({ line: 1, step: 5 });
  stage(intake, { grad_norm: 2 });
  intake.commit({ line: 2, step: 5 });
  stage(intake, { loss: 0.25 });
  intake.commit({ line: 3, step: 6 });
  const [run] = finish("log.txt", intake);
  assert.deepEqual(run!.rows.tables.metrics!.array("train_step"), [5, 6]);
  assert.deepEqual(run!.rows.tables.metrics!.array("grad_norm"), [2, null]);
});

Deno.test("Intake.skip() counts equal reasons of a source once", () => {
  const intake = new Intake();
  intake.openSource("a", "console", 0);
  intake.skip(3, "why");
  intake.skip(9, "why");
  intake.openSource("b", "console", 0);
  intake.skip(1, "why");
  assert.deepEqual(intake.skipped, [
    { source: "a", line: 3, reason: "why", count: 2 },
    { source: "b", line: 1, reason: "why", count: 1 },
  ]);
});

Deno.test("Intake.commit() takes a step that is no finite number for none", () => {
  for (const step of [Infinity, -Infinity, NaN, 1e300]) {
    const intake = new Intake();
    intake.openSource("log.txt", "console", 0);
    for (const [line, own] of [1, step, 3].entries()) {
      stage(intake, { loss: line, global_step: own });
      intake.commit({ line, ...line === 2 ? { step: own } : {} });
    }
    const [run] = finish("log.txt", intake);
    assert.deepEqual(run!.rows.tables.metrics!.array("train_step"), [1, 2, 3]);
  }
  const intake = new Intake();
  intake.openSource("rows.jsonl", "jsonl", 0);
  intake.completion({ line: 1, text: "a", train_step: Infinity });
  assert.equal(intake.completions[0]!.train_step, null);
});
