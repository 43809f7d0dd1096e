import assert from "node:assert/strict";
import { mathValue } from "../../../../data/tasks/verifiers/math_value.ts";

Deno.test("mathValue() is the exact value of a text of numbers alone", () => {
  const cases: [string, string | null][] = [
    ["-\\frac{3}{4}", "-3/4"],
    ["1\\frac12", "3/2"],
    ["1 1/2", "3/2"],
    ["-1 1/2", "-3/2"],
    ["(2+3)*4 - 1", "19/1"],
    ["2^{10}", "1024/1"],
    ["2^-1", "1/2"],
    ["1,234.5", "2469/2"],
    ["50\\%", "50/1"],
    ["1,2", null],
    ["1 2", null],
    ["x", null],
    ["\\sqrt{4}", null],
    ["1/0", null],
    ["9^{9^9}", null],
    ["(1", null],
    ["", null],
    ["1".repeat(300), null],
  ];
  for (const [text, want] of cases) {
    const value = mathValue(text)?.value;
    assert.equal(value ? `${value.numerator}/${value.denominator}` : null, want, text);
  }
});
