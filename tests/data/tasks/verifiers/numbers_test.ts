import assert from "node:assert/strict";
import { lastNumber, sameNumber } from "../../../../data/tasks/verifiers/numbers.ts";

Deno.test("lastNumber() reads the last number of a text", () => {
  const cases: [string, number | null][] = [
    ["42", 42],
    ["so 1,234.5.", 1234.5],
    ["1 then 2", 2],
    ["-3", -3],
    ["9-4", 4],
    ["x = -4", -4],
    [".5", 0.5],
    ["1.5e3", 1500],
    ["$1,000,000!", 1_000_000],
    ["1,2", 2],
    ["none", null],
    ["", null],
    ["42 1e400", null],
    ["1e400 42", 42],
  ];
  for (const [text, want] of cases) assert.equal(lastNumber(text), want, text);
});

Deno.test("sameNumber() is relative to the larger number, and absolute only where it is told", () => {
  assert(sameNumber(1_000_001, 1_000_000, 1e-5));
  assert(!sameNumber(1_000_100, 1_000_000, 1e-5));
  assert(!sameNumber(0.000_001, 0, 1e-5));
  assert(!sameNumber(9e-7, 1e-7, 1e-6));
  assert(sameNumber(1.000_000_1e-7, 1e-7, 1e-6));
  assert(sameNumber(99, 100, 0.01) && sameNumber(100, 99, 0.01) && !sameNumber(98.9, 100, 0.01));
  assert(sameNumber(0, 1e-7, 0, 1e-7) && !sameNumber(0, 1.1e-7, 0, 1e-7) && sameNumber(0, -0, 0));
});
