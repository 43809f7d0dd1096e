/** What is told to a run that learns its rows by heart. */
import assert from "node:assert/strict";
import { fewerPasses } from "../../../../steps/diagnoses/remedies/fewer_passes.ts";
import { optionLines } from "../../../../steps/diagnoses/remedies/options.ts";
import { type Run, viewOf } from "../synthetic.ts";

const RECORDS = 40;
const run = (epoch: (at: number) => number, more: Partial<Run> = {}): Run => ({
  algorithm: "dpo",
  system: "trl",
  ...more,
  columns: {
    epoch: Array.from({ length: RECORDS }, (_, i) => epoch((i + 1) / RECORDS)),
    learning_rate: Array(RECORDS).fill(5e-6),
  },
});

function told(given: Run, best: number | null) {
  const view = viewOf(given), { hint, remedy = [] } = fewerPasses(view, best);
  return { hint, options: optionLines(remedy, view) };
}

Deno.test("fewerPasses() offers no fewer passes where every row was seen once", () => {
  const { hint, options } = told(run((at) => at, { settings: { beta: 0.1 } }), 12);
  assert.deepEqual(options, ["trl: learning_rate=1.0e-6", "trl: beta=0.2"]);
  assert.match(hint!, /larger beta/);
  assert.deepEqual(told({ system: "trl", settings: { num_train_epochs: 1, learning_rate: 5e-6 } }, 12).options, [
    "trl: learning_rate=1.0e-6",
  ]);
});

Deno.test("fewerPasses() stops at the train step of the best, or with the pass that it lies in", () => {
  const printed = told(run((at) => 4 * at, { stepsPrinted: true }), 20);
  assert.deepEqual(printed.options, ["trl: max_steps=20"]);
  assert.match(printed.hint!, /train step 20/);
  assert.deepEqual(told(run((at) => 4 * at, { stepsPrinted: false }), 15).options, ["trl: num_train_epochs=2"]);
  // A system without a count of updates is told its passes.
  assert.match(
    told(run((at) => 4 * at, { stepsPrinted: true, system: "llamafactory" }), 20).options.join(),
    /num_train_epochs|max_steps/,
  );
});

Deno.test("fewerPasses() reads verl's passes, which begin at 0, and says nothing where no best is known", () => {
  assert.deepEqual(told(run((at) => Math.floor(2.9 * at), { system: "verl", stepsPrinted: true }), 20).options, [
    "verl: trainer.total_training_steps=20",
  ]);
  assert.match(told(run(() => 0, { system: "verl" }), 20).hint!, /No row was seen twice/);
  assert.deepEqual(fewerPasses(viewOf(run((at) => 4 * at)), null), {});
});
