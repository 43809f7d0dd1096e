/** Tokens of each record. */
import assert from "node:assert/strict";
import { recordTokens } from "../../../../steps/diagnoses/cost/tokens.ts";
import { viewOf } from "../synthetic.ts";

Deno.test("recordTokens() are the growth of a count, which may begin again", () => {
  const view = viewOf({ columns: { num_tokens: [10, 30, 5, 25] } });
  assert.deepEqual(recordTokens(view, [1, 1, 1, 1]), [10, 20, 5, 20]);
});

Deno.test("recordTokens() of records without the count are parts of what it has grown by, once", () => {
  const every = viewOf({ columns: { num_tokens: [null, 20, null, null, 80, null] } });
  assert.deepEqual(recordTokens(every, [1, 1, 1, 1, 4, 1]), [10, 10, 10, 10, 40, null]);
});

Deno.test("recordTokens() of a log that begins in mid-run leave out what came before it", () => {
  const num_tokens = [3000, 3100, 3200];
  assert.deepEqual(recordTokens(viewOf({ columns: { num_tokens }, steps: [300, 310, 320] }), [10, 10, 10]), [
    null,
    100,
    100,
  ]);
  assert.deepEqual(recordTokens(viewOf({ columns: { num_tokens }, steps: [10, 20, 30] }), [10, 10, 10]), [
    3000,
    100,
    100,
  ]);
});

Deno.test("recordTokens() are those of a train step times the train steps of the record", () => {
  assert.deepEqual(recordTokens(viewOf({ columns: { loss_tokens: [100, 120] } }), [1, 5]), [100, 600]);
});

Deno.test("recordTokens() are lengths times completions, by the log or the configuration, and never a guess", () => {
  const columns = { completion_length: [10, 20] };
  assert.equal(recordTokens(viewOf({ columns }), [1, 1]), null);
  assert.equal(recordTokens(viewOf({ columns, settings: { per_device_train_batch_size: 4 } }), [1, 1]), null);
  assert.deepEqual(recordTokens(viewOf({ columns: { ...columns, completions: [8, 8] } }), [1, 2]), [80, 320]);
  const trl = {
    per_device_train_batch_size: 4,
    gradient_accumulation_steps: 2,
    num_processes: 8,
    num_iterations: 2,
  };
  assert.deepEqual(recordTokens(viewOf({ columns, system: "trl", settings: trl }), [1, 1]), [320, 640]);
  const verl = { "data.train_batch_size": 16, "actor_rollout_ref.rollout.n": 8 };
  assert.deepEqual(recordTokens(viewOf({ columns, system: "verl", settings: verl }), [1, 1]), [1280, 2560]);
});
