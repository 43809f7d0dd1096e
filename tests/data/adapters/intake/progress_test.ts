import assert from "node:assert/strict";
import { Progress } from "../../../../data/adapters/intake/progress.ts";

const bar = (done: number, total = 250) =>
  ` ${String(Math.floor(100 * done / total)).padStart(2)}%|#2  | ${done}/${total} [00:25<`;

/** What is told by bars (numbers, or lines) and records (null) in their order. */
function told(...lines: readonly (number | string | null)[]): Progress {
  const progress = new Progress();
  for (const line of lines) {
    if (line === null) progress.record();
    else progress.line(typeof line === "number" ? bar(line) : line);
  }
  return progress;
}

Deno.test("Progress tells the interval from bars that are drawn at each record", () => {
  assert.deepEqual(told(0, 10, null, 10, 20, null, 20, 30, null).interval, { updates: 10, first: false });
  assert.deepEqual(told(0, 1, null, 1, 2, null, 2, 3, null).interval, { updates: 1, first: false });
});

Deno.test("Progress tells the interval from bars that are drawn late", () => {
  assert.deepEqual(told(3, null, 11, 18, null, 21, 29, null, 30).interval, { updates: 10, first: false });
});

Deno.test("Progress knows a first record at the first update", () => {
  assert.deepEqual(told(0, 1, null, 1, 10, null, 10, 20, null, 20, 30, null).interval, { updates: 10, first: true });
});

Deno.test("Progress tells nothing where several intervals are possible, or none", () => {
  assert.equal(told(0, null, 40, null).interval, null, "wide bounds");
  assert.equal(told(0, 10, null).interval, null, "one record");
  assert.equal(told(250, null, null, null).interval, null, "records come after all bars");
  assert.equal(told(10, null, 20, null, 5, null).interval, null, "it goes back");
  assert.equal(told(null, null).interval, null, "no bar");
});

Deno.test("Progress passes over bars of something else: with a name, of evaluations, of data", () => {
  const data = "Map: 100%|###| 1000/1000 [00:01<", evaluation = [bar(2, 8), bar(8, 8)];
  const lines = [data, 10, null, 10, ...evaluation, 20, null, 20, ...evaluation, 30, null];
  assert.deepEqual(told(...lines).interval, { updates: 10, first: false });
  const many = Array.from({ length: 100 }, (_, i) => bar(1, i + 1));
  assert.equal(told(...many, null, null).interval, null);
});
