import assert from "node:assert/strict";
import { isChanging, numberLine } from "../../../../data/tasks/verifiers/number_line.ts";

const read = (text: string) => {
  const value = numberLine(text)?.value;
  return value ? `${value.numerator}/${value.denominator}` : null;
};

Deno.test("numberLine() reads one number with its sign, currency and unit", () => {
  const cases = [
    ["42", "42/1"],
    ["x = 42", "42/1"],
    ["-$5", "-5/1"],
    ["$18.00", "18/1"],
    ["5€", "5/1"],
    ["18\\%", "18/1"],
    ["1.8 × 10^1", "18/1"],
    ["-\\frac{1}{2}", "-1/2"],
    ["1 1/2", "3/2"],
    ["70 000", "70000/1"],
    ["1,234.5", "2469/2"],
    ["42 apples.", "42/1"],
    ["42 months", "42/1"],
    ["42 miles per hour", "42/1"],
    ["42 km/h", "42/1"],
    ["540 cm^2", "540/1"],
    ["540 m²", "540/1"],
    ["5 \\mathrm{~cm}^2", "5/1"],
    ["**42**", "42/1"],
    ["$42$", "42/1"],
  ];
  for (const [text, want] of cases) assert.equal(read(text!), want, text);
});

Deno.test("numberLine() is null for whatever else stands there", () => {
  const texts = [
    "",
    "none",
    "42!",
    "√42",
    "42i",
    "42 k",
    "42 m",
    "42 million",
    "not 42",
    "42 or 43",
    "42 43",
    "18:30",
    "42^2",
    "42²",
    "4\u20602",
    "42\u0305",
    "42٠",
    "--42",
    "+-42",
    "x == 42",
    "x >= 42",
    "42%%",
    "42 cm^4",
    "4.2.1",
    "42,0001",
    "{42",
    "42 = 43",
    "42 . 5",
    "42 apples!",
    "42 (43)",
    "1/0",
    "1e400",
    "9".repeat(400),
  ];
  for (const text of texts) assert.equal(read(text), null, text);
});

Deno.test("isChanging() knows words that scale, deny and compare from units", () => {
  for (const word of ["million", "trillions", "not", "tenths", "than", "wrong", "minus"]) {
    assert(isChanging(word), word);
  }
  for (const word of ["apples", "months", "dollars", "miles", "hours"]) assert(!isChanging(word), word);
});
