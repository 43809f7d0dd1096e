import assert from "node:assert/strict";
import { quantitiesIn, sameQuantity } from "../../../../data/tasks/verifiers/quantities.ts";

const values = (text: string) =>
  quantitiesIn(text).found.map(({ value, percent }) =>
    (value === null ? "?" : `${value.numerator}/${value.denominator}`) + (percent ? "%" : "")
  );

Deno.test("quantitiesIn() finds numbers with their exact values", () => {
  const cases: [string, string[]][] = [
    ["9-4 and -4", ["9/1", "4/1", "-4/1"]],
    ["$1,234.50, 1,2 or 1_000", ["2469/2", "1/1", "2/1", "1000/1"]],
    ["1,00,000", ["100000/1"]],
    ["3/4 of 1 3/4 is -1 1/2", ["3/4", "7/4", "-3/2"]],
    ["5% and 5 percent", ["5/1%", "5/1%"]],
    ["1.5e3, 2 × 10^-2, 1e999", ["1500/1", "1/50", "?"]],
    ["4/0", ["?"]],
    ["none", []],
  ];
  for (const [text, want] of cases) assert.deepEqual(values(text), want, text);
});

Deno.test("sameQuantity() takes a percent for its digits or for the share", () => {
  const [percent, digits, share, other] = quantitiesIn("50% 50 0.5 5").found;
  assert(sameQuantity(percent!, digits!) && sameQuantity(percent!, share!));
  assert(!sameQuantity(percent!, other!) && !sameQuantity(digits!, share!));
});
