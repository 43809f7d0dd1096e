import assert from "node:assert/strict";
import { lastNumber, sameNumber } from "../../../../data/tasks/verifiers/numbers.ts";

Deno.test("lastNumber() reads the last number of a text", () => {
  const cases: [string, number | null][] = [
    ["42", 42],
    ["so 1,234.5.", 1234.5],
    ["1 then 2", 2],
    ["-3", -3],
    ["6-4 = 2", 2],
    ["f(9)-4", 4],
    ["pages 10-12 have 7", 7],
    ["Question 3: 4", 4],
    ["1\n- 42", 42],
    ["42 is what I get", 42],
    ["5 kg", 5],
    ["5 mm", 5],
    ["20 paths", 20],
    ["x = -4", -4],
    [".5", 0.5],
    ["1.5e3", 1500],
    ["$1,000,000!", 1_000_000],
    ["1,2", 2],
    ["none", null],
    ["", null],
    ["42 1e400", null],
    ["1e400 42", 42],
    // Scaled, or a part of something else: nobody says which number is meant.
    ...["42k", "42 K", "$42M", "42kk", "42 million", "42 thousand", "42\\text{ million}", "42~\\mathrm{k}", "42 tenths"]
      .map((text): [string, null] => [text, null]),
    ...[
      "9-4",
      "10-12",
      "10 - 12",
      "10\u201312",
      "10\u221212",
      "10 to 12",
      "between 10 and 12",
      "10 or 12",
      "3/4",
      "3 / 4",
    ]
      .map((text): [string, null] => [text, null]),
    ...["5+4", "5*4", "5 × 4", "2^10", "2**10", "3.1.2", "1...9", "3 & 4"].map((text): [string, null] => [text, null]),
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
