import assert from "node:assert/strict";
import { nameInfo } from "../../../../data/adapters/intake/name_info.ts";
import { RawTable } from "../../../../data/adapters/intake/raw_table.ts";
import { besideRecords, tableOfWide, wideTable } from "../../../../data/adapters/run/wide_table.ts";

function table(
  rows: readonly (readonly [step: number, values: Record<string, [value: number, decimals: number]>])[],
): RawTable {
  const raw = new RawTable();
  const infos = new Map<string, ReturnType<typeof nameInfo>>();
  rows.forEach(([step, values], i) => {
    raw.addRow(step, i + 1, 0, -1);
    for (const [name, [value, decimals]] of Object.entries(values)) {
      if (!infos.has(name)) infos.set(name, nameInfo(name));
      raw.addValue(infos.get(name)!, value, decimals);
    }
  });
  return raw;
}

Deno.test("wideTable() joins two names of one column and prefers the column's own", () => {
  const wide = wideTable([table([
    [1, { "completions/mean_length": [8, -1], completion_length: [9, -1] }],
    [2, { "completions/mean_length": [7, -1] }],
  ])], ["a"]);
  assert.deepEqual(wide.columns.get("completion_length"), [9, 7]);
  assert.deepEqual(wide.printed.get("completion_length")!.names, ["completion_length", "completions/mean_length"]);
});

Deno.test("wideTable() brings values into the column's unit and keeps None absent", () => {
  const wide = wideTable([table([[1, { step_time: [0.25, -1], kl: [NaN, -2], loss: [NaN, -1] }]])], ["a"]);
  assert.deepEqual(wide.columns.get("step_ms"), [250]);
  assert.equal(wide.printed.get("step_ms")!.factor, 1000);
  assert(!("factor" in wide.printed.get("kl")!));
  assert.deepEqual(wide.columns.get("kl"), [null]);
  assert.deepEqual(wide.columns.get("loss"), [NaN]);
});

Deno.test("wideTable() numbers records where no step is printed, on through joined files", () => {
  const wide = wideTable([table([[NaN, { kl: [1, 3] }], [NaN, { kl: [2, 2] }]]), table([[NaN, { kl: [3, 3] }]])], [
    "a",
  ]);
  assert.deepEqual(wide.trainSteps, [1, 2, 3]);
  assert.equal(wide.stepsPrinted, false);
  assert.equal(wide.printed.get("kl")!.decimals, 2);
});

Deno.test("tableOfWide() says where each row is written, and rounds nothing to float32", () => {
  const wide = wideTable([table([[5, { kl: [0.3, 1] }]])], ["log.txt"]);
  assert.deepEqual(tableOfWide(wide).objects(), [{ kl: 0.3, train_step: 5, source: "log.txt", line: 1 }]);
});

Deno.test("besideRecords() gives an evaluation without a step that of the record it stands behind", () => {
  const at = (lines: readonly number[], steps: readonly number[]) => {
    const raw = new RawTable();
    lines.forEach((line, i) => raw.addRow(steps[i]!, line, 0, -1));
    return wideTable([raw], ["a"]);
  };
  const none = [NaN, NaN, NaN, NaN, NaN];
  const records = at([2, 3, 5, 8, 9], none), evaluations = at([1, 4, 7, 10], none);
  assert.deepEqual(besideRecords(evaluations, records).trainSteps, [1, 2, 3, 5]);
  assert.deepEqual(besideRecords(evaluations, at([2, 3, 5, 8, 9], [10, 20, 30, 40, 50])).trainSteps, [10, 20, 30, 50]);
  const printed = at([1, 4], [100, 200]);
  assert.deepEqual(besideRecords(printed, records).trainSteps, [100, 200]);
});

Deno.test("besideRecords() follows several files, and leaves what stands in a file without records", () => {
  const first = new RawTable(), second = new RawTable(), evals = new RawTable();
  for (const line of [1, 2]) first.addRow(NaN, line, 0, -1);
  for (const line of [1, 3]) second.addRow(NaN, line, 1, -1);
  for (const [line, source] of [[2, 0], [2, 1], [9, 2]] as const) evals.addRow(NaN, line, source, -1);
  const paths = ["a", "b", "c"];
  const found = besideRecords(wideTable([evals], paths), wideTable([first, second], paths));
  assert.deepEqual(found.trainSteps, [2, 3, 3]);
});
