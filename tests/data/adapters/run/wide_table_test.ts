import assert from "node:assert/strict";
import { nameInfo } from "../../../../data/adapters/intake/name_info.ts";
import { RawTable } from "../../../../data/adapters/intake/raw_table.ts";
import { tableOfWide, wideTable } from "../../../../data/adapters/run/wide_table.ts";

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
