import assert from "node:assert/strict";
import {
  countingOf,
  ROW_OPTIONS,
  rowBatch,
  rowBatchEntries,
  rowEpochs,
  rowLength,
} from "../../../workflows/translate/given_rows.ts";
import type { Given } from "../../../workflows/translate/table.ts";

const given = (values: Record<string, number>): Given => ({
  value: (name) => values[name] ?? null,
  number: (name, otherwise) => values[name] ?? otherwise,
  count: (name, otherwise) => values[name] ?? otherwise,
  isWritten: (name) => Object.hasOwn(values, name),
});

Deno.test("rowBatch() is rows of all processes, times the gradients where a step cannot add them up", () => {
  const own = given({ per_device_train_batch_size: 4, gradient_accumulation_steps: 3, num_processes: 2 });
  assert.deepEqual(rowBatch("train_preferences", 8)(own), {
    "train_preferences.batch_size": 8,
    "train_preferences.gradient_accumulation": 3,
  });
  assert.deepEqual(rowBatch("fine_tune", 8)(own), { "fine_tune.batch_size": 24 });
  assert.deepEqual(rowBatch("fine_tune", 8)(given({})), { "fine_tune.batch_size": 8 });
  assert.equal(rowBatchEntries("fine_tune", 8)["per_device_train_batch_size"]!.default, 8);
});

Deno.test("updates and epochs: what is said, else what the rows would tell", () => {
  const { updates, perStep } = countingOf("fine_tune");
  assert.deepEqual([updates(given({ max_steps: 7 })), updates(given({})), perStep(given({}))], [7, 100, 1]);
  const epochs = rowEpochs("train_preferences")["num_train_epochs"]!;
  assert.match(JSON.stringify(epochs.make(2, given({}))), /"train_preferences\.epochs":2.*2 × rows/);
  assert(
    "equal" in epochs.make(2, given({ max_steps: 5 })) &&
      "lacks" in rowEpochs("fine_tune")["num_train_epochs"]!.make(2, given({})),
  );
});

Deno.test("rowLength() cuts where the step can", () => {
  assert.deepEqual(rowLength("a.b", null).make(5, given({})), { set: { "a.b": 5 } });
  assert(
    "lacks" in rowLength(null, null).make(5, given({})) && "equal" in rowLength("a.b", null).make(null, given({})),
  );
  assert(Object.hasOwn(ROW_OPTIONS, "precompute_ref_log_probs"));
});
