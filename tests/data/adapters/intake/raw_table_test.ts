import assert from "node:assert/strict";
import { nameInfo } from "../../../../data/adapters/intake/name_info.ts";
import { HEAD_ROWS, MAX_ROWS, RawTable } from "../../../../data/adapters/intake/raw_table.ts";
import { wideTable } from "../../../../data/adapters/run/wide_table.ts";

const loss = nameInfo("loss"), kl = nameInfo("kl");

Deno.test("RawTable keeps every row of an ordinary log; the first of two equal names wins", () => {
  const table = new RawTable();
  for (let i = 0; i < 1000; i++) {
    table.addRow(i, i, 0, -1);
    table.addValue(loss, i, -1);
    table.addValue(loss, -1, -1);
    if (i % 2 === 0) table.addValue(kl, 1, -1);
  }
  assert.equal(table.thinned, 0);
  assert.deepEqual(wideTable([table], ["a"]).columns.get("loss")!.slice(0, 3), [0, 1, 2]);
  assert.deepEqual(wideTable([table], ["a"]).columns.get("kl")!.slice(0, 3), [1, null, 1]);
});

Deno.test("RawTable thins a huge log: the head, the end and a NaN stay", () => {
  const table = new RawTable(), rows = 2 * MAX_ROWS;
  for (let i = 1; i <= rows; i++) {
    table.addRow(i, i, 0, -1);
    table.addValue(loss, i === 60_001 ? NaN : 0.5, -1);
  }
  assert(table.rows <= MAX_ROWS);
  assert.equal(table.rows + table.thinned, rows);
  const wide = wideTable([table], ["a"]);
  assert.deepEqual(wide.trainSteps.slice(0, HEAD_ROWS), Array.from({ length: HEAD_ROWS }, (_, i) => i + 1));
  const at = wide.columns.get("loss")!.findIndex((value) => Number.isNaN(value));
  assert.equal(wide.trainSteps[at], 60_001);
  assert.equal(wide.trainSteps.at(-1), rows);
  assert(wide.trainSteps.every((step, i) => i === 0 || step > wide.trainSteps[i - 1]!));
});

Deno.test("RawTable thins a log of many names: its wide view has a cell for each, empty ones too", () => {
  const table = new RawTable(), names = Array.from({ length: 2000 }, (_, i) => nameInfo(`metric_${i}`));
  for (let i = 0; i < 30_000; i++) {
    table.addRow(i, i, 0, -1);
    table.addValue(loss, i, -1);
    if (i < names.length) table.addValue(names[i]!, i, -1);
  }
  assert(table.rows <= 2 * HEAD_ROWS + 1, `${table.rows} rows`);
  assert.equal(table.rows + table.thinned, 30_000);
});

Deno.test("withView() of a table has the columns of both, and leaves the table to be filled on", () => {
  const table = new RawTable(), view = new RawTable();
  for (const step of [1, 2]) {
    table.addRow(step, step, 0, -1);
    table.addValue(loss, step, -1);
    view.addRow(step, step, 0, -1);
    view.addValue(kl, 10 * step, -1);
  }
  assert.deepEqual(wideTable([table.withView(view)], ["a"]).columns.get("kl"), [10, 20]);
  table.addRow(3, 3, 0, -1);
  assert.deepEqual([...wideTable([table], ["a"]).columns.keys()], ["loss"]);
});

Deno.test("RawTable without some rows has the others, counted as if those had never been", () => {
  const raw = new RawTable(), loss = nameInfo("loss"), gone = nameInfo("only_there");
  for (let row = 0; row < 5; row++) {
    raw.addRow(row, row, 0, -1);
    raw.addValue(row === 2 ? gone : loss, row / 2, 1);
  }
  const rest = raw.without(Uint8Array.of(0, 1, 1, 0, 0));
  assert.deepEqual([rest.rows, rest.step, rest.ordinal], [3, [0, 3, 4], [1, 2, 3]]);
  assert.deepEqual(rest.columns.map(({ info, rows, values, count }) => [info.printed, rows, values, count]), [
    ["loss", [0, 1, 2], [0, 1.5, 2], 3],
  ]);
  assert.deepEqual([raw.rows, raw.columns.length, raw.valueAt("loss", 1)], [5, 2, 0.5]);
});

Deno.test("RawTable knows which record a row is when others are thinned out", () => {
  const raw = new RawTable();
  for (let row = 1; row <= MAX_ROWS + 10; row++) raw.addRow(NaN, row, 0, -1);
  assert(raw.thinned > 0);
  assert.deepEqual(raw.ordinal, raw.line);
});

Deno.test("RawTable thins evenly: a course over its rows is one over the run, and every group keeps what is not finite", () => {
  const table = new RawTable(), rows = 10 * MAX_ROWS, bad = [70_001, 300_005, 433_333, rows - 2000];
  for (let i = 1; i <= rows; i++) {
    table.addRow(i, i, 0, -1);
    table.addValue(loss, bad.includes(i) ? NaN : 0.5, -1);
    if (i % 3 === 0) table.addValue(kl, i, -1);
  }
  assert.equal(table.rows + table.thinned, rows);
  assert(table.rows > MAX_ROWS / 2);
  const after = table.step.slice(HEAD_ROWS, -1100), steps = after.slice(1).map((step, i) => step - after[i]!);
  const usual = steps.toSorted((a, b) => a - b)[steps.length >> 1]!;
  assert(steps.filter((step) => step !== usual).length < 20);
  const { columns } = wideTable([table], ["a"]);
  assert.deepEqual(table.step.filter((_, row) => Number.isNaN(columns.get("loss")![row])), bad);
  assert(columns.get("kl")!.every((value, row) => value === (table.step[row]! % 3 === 0 ? table.step[row] : null)));
  assert.equal(table.cells, columns.get("loss")!.length + columns.get("kl")!.filter((value) => value !== null).length);
});
