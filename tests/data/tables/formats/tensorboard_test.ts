/** TensorBoard event files. @module */
import assert from "node:assert/strict";
import { toTensorboard } from "../../../../data/tables/formats/tensorboard.ts";
import { trackedSteps } from "../../../../data/tables/formats/tracked_steps.ts";
import { tableOf } from "../../../../data/tables/table_of.ts";

Deno.test("toTensorboard() frames a version event and one event per row, byte for byte", () => {
  const metrics = tableOf("metrics", { train_step: [300], phase: ["sft"], kl: [0.5] });
  const [version, event, ...rest] = [...toTensorboard(trackedSteps(metrics, () => 0), 0, () => 0)];
  assert.equal(rest.length, 0);
  const writer = [0x52, 9, 0x0a, 7, ...new TextEncoder().encode("nonzero")]; // source_metadata { writer }
  assert.deepEqual([...version!.subarray(-4 - writer.length, -4)], writer);
  assert.match(new TextDecoder().decode(version), /brain\.Event:2/);
  const zeros = new Array<number>(8).fill(0);
  const tag = new TextEncoder().encode("sft/kl"), value = [0x0a, tag.length, ...tag, 0x15, 0, 0, 0, 0x3f]; // simple_value 0.5
  const summary = [0x0a, value.length, ...value];
  const data = [0x09, ...zeros, 0x10, 0xac, 0x02, 0x2a, summary.length, ...summary]; // wall time, step 300, summary
  assert.deepEqual([...event!.subarray(12, -4)], data);
  assert.equal(new DataView(event!.buffer).getBigUint64(0, true), BigInt(data.length));
});

Deno.test("toTensorboard() leaves absent values out", () => {
  const metrics = tableOf("metrics", { train_step: [1, 2], kl: [null, 1] });
  const events = [...toTensorboard(trackedSteps(metrics, () => 0), 0, () => 0)];
  assert.equal(events.length, 2);
});

Deno.test("toTensorboard() gives every row the time of its train step", () => {
  const table = tableOf("metrics", { train_step: [1, 2], kl: [0, 1] }), time = (step: number) => 100 + step / 2;
  const times = [...toTensorboard(trackedSteps(table, time), 100, time)].map((event) =>
    new DataView(event.buffer).getFloat64(12 + 1, true)
  );
  assert.deepEqual(times, [100, 100.5, 101]);
});
