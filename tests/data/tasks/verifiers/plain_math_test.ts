import assert from "node:assert/strict";
import { plainMath } from "../../../../data/tasks/verifiers/plain_math.ts";

Deno.test("plainMath() writes an answer in one way", () => {
  const cases = [
    ["\\left( \\dfrac12,\\ 3 \\right)", "(\\frac{1}{2},3)"],
    ["x = 5 \\text{ cm}", "5"],
    ["\\text{Ann and Bob}.", "Ann and Bob"],
    ["10{,}000", "10,000"],
    ["1 1/2", "1 1/2"],
    ["x^{2} + 1", "x^2+1"],
    ["\\sqrt3", "\\sqrt{3}"],
    ["45^{\\circ}", "45"],
    ["x \\in [0, 1)", "[0,1)"],
    ["1 \\\\ 2", "1\\\\2"],
  ];
  for (const [text, want] of cases) assert.equal(plainMath(text!), want, text);
});
