import assert from "node:assert/strict";
import { lastNumberOf, leadingNumber } from "../../../../data/tasks/verifiers/stated_number.ts";

const read = (stated: ReturnType<typeof leadingNumber>) => {
  const value = stated?.number.value;
  return value ? `${value.numerator}/${value.denominator}` : null;
};

Deno.test("leadingNumber() reads the number with which a text begins, whatever it counts", () => {
  const cases = [
    ["42", "42/1"],
    ["x = 42", "42/1"],
    ["6 * 7 = 42 apples", "42/1"],
    ["-$5", "-5/1"],
    ["$18.00", "18/1"],
    ["5€", "5/1"],
    ["18\\%", "18/1"],
    ["1.8 × 10^1", "18/1"],
    ["-\\frac{1}{2}", "-1/2"],
    ["1 1/2", "3/2"],
    ["70 000", "70000/1"],
    ["1,234.5", "2469/2"],
    ["42 pairs of socks, which is a lot", "42/1"],
    ["42 (since 6 * 7 = 42)", "42/1"],
    ["42 miles per hour", "42/1"],
    ["42 km/h", "42/1"],
    ["42/day", "42/1"],
    ["540 cm^2", "540/1"],
    ["540 m²", "540/1"],
    ["5 \\mathrm{~cm}^2", "5/1"],
    ["**42** apples", "42/1"],
    ["$42$ apples", "42/1"],
    ["about 42", "42/1"],
    ["42 m", "42/1"],
  ];
  for (const [text, want] of cases) assert.equal(read(leadingNumber(text!)), want, text);
});

Deno.test("leadingNumber() is null where what stands beside makes it another number, or two", () => {
  const texts = [
    "",
    "none",
    "√42",
    "42i",
    "42x",
    "42nd",
    "42 k",
    "42\\text{k}",
    "42 million",
    "not 42",
    "42 or 43",
    "42, 43",
    "42 and 43",
    "42 43",
    "18:30",
    "42^2",
    "42²",
    "4\u20602",
    "42\u0305",
    "42٠",
    "--42",
    "+-42",
    "x >= 42",
    "2x = 42",
    "41 = 42",
    "42 minus 1",
    "42 times 2",
    "42 - 2",
    "42 squared",
    "half of 42",
    "1/0",
    "1e400",
    "9".repeat(400),
  ];
  for (const text of texts) assert.equal(read(leadingNumber(text)), null, text);
});

Deno.test("lastNumberOf() reads the last number of a text, unless what leads to it makes it another", () => {
  for (const text of ["She has 42 more.", "<answer>42</answer>", "6 x 7 = 42", "it is $42!", "a 42 m² floor"]) {
    assert.equal(read(lastNumberOf(text)), "42/1", text);
  }
  for (
    const text of ["41 or 42", "10-42", "x < 42", "more\\sqrt{42}", "twice 42", "sin(42)", "x42", "not 42", "none"]
  ) {
    assert.equal(read(lastNumberOf(text)), null, text);
  }
  assert.equal(read(lastNumberOf("the change is -$5")), "-5/1");
});
