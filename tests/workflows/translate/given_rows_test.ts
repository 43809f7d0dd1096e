import assert from "node:assert/strict";
import {
  batchOf,
  countingOf,
  epochsOf,
  joinedNote,
  KTO_LEAST,
  ROW_OPTIONS,
  rowBatch,
  rowBatchEntries,
  rowEpochs,
  rowEvaluation,
  rowLength,
} from "../../../workflows/translate/given_rows.ts";
import type { Given } from "../../../workflows/translate/table.ts";
import { stepSettings, told } from "./translated.ts";

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

Deno.test("batchOf() joins rows that are too few, and keeps those of an update", () => {
  const made = (rows: number, gradients: number) =>
    Object.values(batchOf("train_preferences", rows, gradients, KTO_LEAST));
  assert.deepEqual([made(1, 8), made(1, 3), made(1, 1), made(2, 8)], [[2, 4], [3, 1], [2, 1], [2, 8]]);
  assert.match(joinedNote(1, 8, 2), /the same 8 an update/);
  assert.match(joinedNote(1, 1, 2), /2 rows an update here/);
  assert.equal(joinedNote(2, 8, 2), "");
  for (const system of ["trl", "llamafactory", "ms-swift"] as const) {
    const { settings, texts } = told(system, "kto", { gradient_accumulation_steps: 8, per_device_train_batch_size: 1 });
    const { batch_size, gradient_accumulation } = stepSettings(settings, "train_preferences");
    assert.deepEqual([batch_size, gradient_accumulation], [2, 4], system);
    assert.match(texts["per_device_train_batch_size"]!, /the same 8 an update/);
  }
});

Deno.test("updates and epochs: what is said, else what the rows would tell", () => {
  const { updates, perStep } = countingOf("fine_tune");
  assert.deepEqual([updates(given({ max_steps: 7 })), updates(given({})), perStep(given({}))], [7, 100, 1]);
  const epochs = rowEpochs("train_preferences")["num_train_epochs"]!;
  assert.match(JSON.stringify(epochs.make(2, given({}))), /lacks.*ends after 100 updates, or 2 epochs.*2 × rows/);
  assert.deepEqual(epochsOf("train_preferences", given({ num_train_epochs: 2 })), { "train_preferences.epochs": 2 });
  assert.deepEqual(epochsOf("train_preferences", given({ num_train_epochs: 2, max_steps: 5 })), {});
  assert.match(JSON.stringify(rowEvaluation("train_reward_model")["eval_steps"]!.make(5, given({}))), /evaluate_every/);
  assert(
    "equal" in epochs.make(2, given({ max_steps: 5 })) &&
      "lacks" in rowEpochs("fine_tune")["num_train_epochs"]!.make(2, given({})),
  );
});

Deno.test("rowLength() cuts where the step can", () => {
  assert.deepEqual(rowLength("a.b", null, "told").make(5, given({})), { set: { "a.b": 5 }, note: "told" });
  assert("equal" in rowLength("a.b", null).make(null, given({})));
  assert(Object.hasOwn(ROW_OPTIONS, "precompute_ref_log_probs"));
});
