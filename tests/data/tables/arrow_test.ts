/** Arrow bytes and back. @module */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as aq from "arquero";
import { tableFromIPC } from "@uwdata/flechette";
import { decodeTable, encodeTable } from "../../../data/tables/arrow.ts";
import { emptyTable, tableOf } from "../../../data/tables/table_of.ts";
import { type TableName, TABLES } from "../../../data/columns.ts";

/** Every type of the dictionary, with nulls, NaN, empty texts and lists. */
const COMPLETIONS = () =>
  tableOf("completions", {
    train_step: [1, 1, 2],
    prompt_id: [0, 1, 0],
    sample: [0, 0, 0],
    text: ["", "é 😀", null],
    truncated: [true, null, false],
    reward: [NaN, null, -0],
    correct: [false, true, true],
    token_ids: [[1, 2, 3], [], null],
    old_logprobs: [[-0.5, NaN, -Infinity], [], null],
    "reward.verifier": [1, null, NaN],
  });

Deno.test("encodeTable() and decodeTable() are inverse: null, NaN, -0, empty texts and lists stay what they are", () => {
  const table = COMPLETIONS();
  const back = decodeTable(encodeTable("completions", table));
  assert.deepEqual(back.columnNames(), table.columnNames());
  assert.deepEqual(back.objects(), table.objects());
  assert.ok(back.get("token_ids", 0) instanceof Int32Array);
  assert.ok(Object.is(back.get("reward", 2), -0));
});

Deno.test("every table of the dictionary survives, with rows of nulls and without rows", () => {
  for (const name of Object.keys(TABLES) as TableName[]) {
    const nulls = tableOf(name, Object.fromEntries(Object.keys(TABLES[name]).map((column) => [column, [null, null]])));
    const back = decodeTable(encodeTable(name, nulls));
    assert.deepEqual(back.objects(), nulls.objects(), name);
    const empty = decodeTable(encodeTable(name, emptyTable(name)));
    assert.equal(empty.numRows(), 0);
    assert.deepEqual(empty.columnNames(), Object.keys(TABLES[name]));
  }
});

Deno.test("encodeTable() gives the same bytes however the table came about", () => {
  const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  const a = sha(encodeTable("completions", COMPLETIONS(), { run: "r" }));
  const derived = aq.from(COMPLETIONS().objects({ limit: Infinity })).select("text", aq.not("text")).filter(
    "d => true",
  );
  assert.equal(sha(encodeTable("completions", derived, { run: "r" })), a);
  assert.equal(
    sha(encodeTable("completions", decodeTable(encodeTable("completions", COMPLETIONS())), { run: "r" })),
    a,
  );
  assert.notEqual(sha(encodeTable("completions", COMPLETIONS(), { run: "q" })), a);
});

Deno.test("encodeTable() stores explicit types that other Arrow readers see", () => {
  const bytes = encodeTable("metrics", tableOf("metrics", { train_step: [1], phase: ["rollout"], loss: [0.25] }));
  const foreign = aq.fromArrow(bytes);
  assert.deepEqual(foreign.objects(), [{ train_step: 1, phase: "rollout", loss: 0.25 }]);
  assert.deepEqual([...tableFromIPC(bytes).schema.metadata!], [["nonzero.table", "metrics"]]);
});

Deno.test("decodeTable() reads from an unaligned view", () => {
  const bytes = encodeTable("metrics", tableOf("metrics", { train_step: [1, 2], loss: [0.5, 1.5] }));
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  assert.deepEqual([...decodeTable(shifted.subarray(3)).array("loss")], [0.5, 1.5]);
});

Deno.test("encodeTable() applies filters and orders", () => {
  const table = tableOf("metrics", { train_step: [3, 1, 2] }).filter("d => d.train_step > 1").orderby("train_step");
  assert.deepEqual([...decodeTable(encodeTable("metrics", table)).array("train_step")], [2, 3]);
});

Deno.test("decodeTable() names what is no Arrow file", () => {
  const bytes = encodeTable("metrics", tableOf("metrics", { train_step: [1] }));
  assert.throws(() => decodeTable(bytes.subarray(0, bytes.length - 1)), /not an Arrow IPC file/);
  assert.throws(() => decodeTable(new Uint8Array(0)), /its 0 bytes are not/);
  const foreign = new Uint8Array(aq.toArrowIPC(aq.table({ a: [1] }), { format: "file" })!);
  assert.throws(() => decodeTable(foreign), /Cannot read table ""/);
});

Deno.test("a prompts table keeps the task's own columns", () => {
  const table = tableOf("prompts", { prompt: ["p"], numbers: [[3, 7]], target: [21], grid: [{ a: 1 }] });
  assert.deepEqual(decodeTable(encodeTable("prompts", table)).objects(), table.objects());
});
