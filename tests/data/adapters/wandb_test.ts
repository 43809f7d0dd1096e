import assert from "node:assert/strict";
import { crc32 } from "node:zlib";
import { join } from "node:path";
import { readRun } from "../../../data/adapters/read_run.ts";
import { LOGGED, STEPS, TRACKERS } from "./golden_trackers.ts";
import { column, readFiles, shown } from "./read_text.ts";

const encoder = new TextEncoder();
const varint = (n: number): number[] => n < 128 ? [n] : [(n & 127) | 128, ...varint(Math.floor(n / 128))];
const field = (number: number, bytes: ArrayLike<number>) => [
  ...varint(number << 3 | 2),
  ...varint(bytes.length),
  ...Array.from(bytes),
];
const text = (number: number, value: string) => field(number, encoder.encode(value));
const history = (row: Record<string, string>) =>
  field(2, Object.entries(row).flatMap(([key, json]) => field(1, [...text(1, key), ...text(16, json)])));
const config = (key: string, json: string) => field(17, field(4, field(1, [...text(1, key), ...text(16, json)])));

/** A .wandb file: records are split where a block of 32 KiB ends. */
function file(records: number[][]): Uint8Array {
  const out: number[] = [0x3a, 0x57, 0x26, 0x42, 0xe1, 0xbe, 0];
  for (const record of records) {
    let rest = record, first = true;
    do {
      const left = 32768 - out.length % 32768;
      if (left < 7) {
        out.push(...new Array(left).fill(0));
        continue;
      }
      const part = rest.slice(0, left - 7);
      rest = rest.slice(part.length);
      const type = first ? (rest.length === 0 ? 1 : 2) : (rest.length === 0 ? 4 : 3);
      first = false;
      const sum = crc32(Uint8Array.from(part), crc32(Uint8Array.of(type))) >>> 0;
      out.push(...new Uint8Array(new Uint32Array([sum]).buffer), part.length & 255, part.length >> 8, type, ...part);
    } while (rest.length > 0);
  }
  return Uint8Array.from(out);
}

Deno.test("WANDB reads history and configuration; NaN stays NaN, null stays null", async () => {
  const run = await readFiles({
    "run-abc.wandb": file([
      config("learning_rate", '{"desc": null, "value": 1e-06}'),
      config("num_generations", "8"),
      history({ "train/loss": "0.5", "train/reward": "NaN", "train/global_step": "10", "_step": "0" }),
      history({ "train/loss": "null", "train/reward": "0.25", "train/global_step": "20", "_step": "1" }),
    ]),
  });
  assert.deepEqual(run.metrics.train_step, [10, 20]);
  assert.deepEqual(column(run, "loss"), [0.5, null]);
  assert.deepEqual(column(run, "reward"), [NaN, 0.25]);
  assert.deepEqual(run.settings.map(({ option, value }) => [option, value]), [["learning_rate", 1e-6], [
    "group_size",
    8,
  ]]);
});

Deno.test("WANDB joins a record that crosses a block and stops at a torn tail", async () => {
  const long = history({ "loss": "0.25", "grad_norm": "1", "_step": "1", "note": `"${"x".repeat(40_000)}"` });
  const bytes = file([history({ "loss": "0.5", "grad_norm": "1", "_step": "0" }), long]);
  assert.deepEqual(column(await readFiles({ "run-a.wandb": bytes }), "loss"), [0.5, 0.25]);
  const torn = await readFiles({ "run-a.wandb": bytes.slice(0, -3) });
  assert.deepEqual(column(torn, "loss"), [0.5]);
  assert.match(torn.sources[0]!.partial!, /ends inside a record/);
});

Deno.test("WANDB stops at a wrong checksum and says where", async () => {
  const bytes = file([
    history({ "loss": "0.5", "grad_norm": "1", "_step": "0" }),
    history({ "loss": "0.25", "grad_norm": "1", "_step": "1" }),
  ]);
  bytes[bytes.length - 2]! ^= 1;
  const run = await readFiles({ "run-a.wandb": bytes });
  assert.deepEqual(column(run, "loss"), [0.5]);
  assert.match(run.sources[0]!.partial!, /wrong checksum/);
});

for (const version of ["0.19.11", "0.31.0"]) {
  Deno.test(`WANDB reads what W&B ${version} wrote offline; a call without the trainer's step belongs to the one before`, async () => {
    const [run] = (await readRun([join(TRACKERS, "wandb", version)])).map(shown);
    assert.equal(run!.part.of, 1);
    assert.deepEqual(run!.metrics.train_step, STEPS);
    for (const [name, values] of Object.entries(LOGGED)) assert.deepEqual(column(run!, name), values, name);
    const settings = new Map(run!.settings.map(({ name, value }) => [name, value]));
    assert.deepEqual([settings.get("learning_rate"), settings.get("note"), settings.get("use_vllm")], [
      1e-6,
      'a\n"b"',
      false,
    ]);
  });
}
