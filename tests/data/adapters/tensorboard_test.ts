import assert from "node:assert/strict";
import { maskedCrc } from "../../../data/crc32c.ts";
import { tableOf } from "../../../data/tables/table_of.ts";
import { columnArray } from "../../../data/tables/mod.ts";
import { trackedSteps } from "../../../data/tables/formats/tracked_steps.ts";
import { toTensorboard } from "../../../data/tables/formats/tensorboard.ts";
import { join } from "node:path";
import { readRun } from "../../../data/adapters/read_run.ts";
import { LOGGED, STEPS, TRACKERS } from "./golden_trackers.ts";
import { column, readFiles, shown } from "./read_text.ts";

const encoder = new TextEncoder();
const varint = (n: number): number[] => n < 128 ? [n] : [(n & 127) | 128, ...varint(Math.floor(n / 128))];
const bytesField = (
  field: number,
  bytes: ArrayLike<number>,
) => [field << 3 | 2, ...varint(bytes.length), ...Array.from(bytes)];
const float32 = (x: number) => [...new Uint8Array(new Float32Array([x]).buffer)];

function record(data: number[]): number[] {
  const size = new Uint8Array(8);
  new DataView(size.buffer).setBigUint64(0, BigInt(data.length), true);
  const sum = (bytes: Uint8Array) => [...new Uint8Array(new Uint32Array([maskedCrc(bytes)]).buffer)];
  return [...size, ...sum(size), ...data, ...sum(Uint8Array.from(data))];
}

/** An Event with scalars as TensorBoard 1 (simple_value) or 2 (tensor) writes them. */
function event(step: number, scalars: Record<string, number>, asTensor = false): number[] {
  const values = Object.entries(scalars).flatMap(([tag, value]) => {
    const tensor = [1 << 3, 1, ...bytesField(4, float32(value))];
    const body = asTensor ? bytesField(8, tensor) : [2 << 3 | 5, ...float32(value)];
    return bytesField(1, [...bytesField(1, encoder.encode(tag)), ...body]);
  });
  return record([2 << 3, ...varint(step), ...bytesField(5, values)]);
}

const NAME = "events.out.tfevents.1700000000.host.1.0";

Deno.test("TENSORBOARD reads scalars of both kinds and joins the tags of a step", async () => {
  const bytes = Uint8Array.from([
    ...event(1, { "train/loss": 0.5, "train/reward": 0.25 }),
    ...event(2, { "train/reward": NaN }, true),
    ...event(2, { "train/loss": 0.125 }),
    ...event(2, { "eval/loss": 4 }),
  ]);
  const run = await readFiles({ [NAME]: bytes });
  assert.deepEqual(run.metrics.train_step, [1, 2]);
  assert.deepEqual(column(run, "loss"), [0.5, 0.125]);
  assert.deepEqual(column(run, "reward"), [0.25, NaN]);
  assert.deepEqual(run.evaluations.columns.get("loss"), [4]);
});

Deno.test("TENSORBOARD reads the arguments that transformers writes as text", async () => {
  const tensor = [1 << 3, 7, ...bytesField(8, encoder.encode('{"learning_rate": 1e-06, "num_generations": 8}'))];
  const summary = bytesField(1, [...bytesField(1, encoder.encode("args/text_summary")), ...bytesField(8, tensor)]);
  const run = await readFiles({ [NAME]: Uint8Array.from(record([2 << 3, 0, ...bytesField(5, summary)])) });
  assert.equal(run.settings.find(({ option }) => option === "group_size")!.value, 8);
});

Deno.test("TENSORBOARD knows an event file of ours by its writer: its tags are columns, what it lacks is absent", async () => {
  const metrics = tableOf("metrics", {
    train_step: [1, 2],
    phase: ["sft", "rollout"],
    loss: [2, 0],
    completion_length: [null, 3],
    kl: [null, 0],
  });
  const file = (writer: boolean) => {
    const [first, ...events] = [...toTensorboard(trackedSteps(metrics, () => 0), 0, () => 0)];
    return Uint8Array.from([...(writer ? first! : []), ...events.flatMap((event) => [...event])]);
  };
  const own = await readFiles({ [NAME]: file(true) });
  assert.equal(own.system, "nonzero");
  assert.equal(own.rows.log, null, "its rows are a table of ours");
  const table = own.rows.tables.metrics!;
  assert.deepEqual(Array.from(columnArray(table, "phase")), ["sft", "rollout"]);
  assert.deepEqual(Array.from(columnArray(table, "kl")), [null, 0]);
  assert.deepEqual(Object.keys(own.rows.tables), ["metrics"], "no completions, no settings: not to be called healthy");
  assert.notEqual((await readFiles({ [NAME]: file(false) })).system, "nonzero");
});

Deno.test("TENSORBOARD reads up to a torn tail or a wrong checksum and says so", async () => {
  const whole = [...event(1, { loss: 0.5, grad_norm: 1 }), ...event(2, { loss: 0.25, grad_norm: 1 })];
  const torn = await readFiles({ [NAME]: Uint8Array.from(whole.slice(0, -5)) });
  assert.deepEqual(column(torn, "loss"), [0.5]);
  assert.match(torn.sources[0]!.partial!, /ends inside record 2/);
  assert(torn.sources[0]!.bytes_read < torn.sources[0]!.bytes);
  const flipped = Uint8Array.from(whole);
  flipped[whole.length - 8]! ^= 255;
  const wrong = await readFiles({ [NAME]: flipped });
  assert.deepEqual(column(wrong, "loss"), [0.5]);
  assert.match(wrong.sources[0]!.partial!, /record 2 has a wrong checksum/);
});

for (const kind of ["values", "tensors"]) {
  Deno.test(`TENSORBOARD reads what a SummaryWriter wrote, scalars as ${kind}`, async () => {
    const [run] = (await readRun([join(TRACKERS, "tensorboard", kind)])).map(shown);
    assert.deepEqual(run!.metrics.train_step, STEPS);
    for (const [name, values] of Object.entries(LOGGED)) {
      assert.deepEqual(column(run!, name), values.map(Math.fround), name);
    }
    const settings = new Map(run!.settings.map(({ name, value }) => [name, value]));
    assert.equal(settings.get("num_generations"), kind === "values" ? 8 : undefined);
  });
}
