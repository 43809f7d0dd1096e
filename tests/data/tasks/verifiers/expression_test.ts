import assert from "node:assert/strict";
import { integer } from "../../../../data/random.ts";
import { evaluateExpression } from "../../../../data/tasks/verifiers/expression.ts";

const value = (text: string) => {
  const result = evaluateExpression(text);
  return result && Number(result.numerator) / Number(result.denominator);
};

Deno.test("evaluateExpression() follows precedence, from the left, with parentheses", () => {
  for (
    const [text, want] of [
      ["1+2*3", 7],
      ["(1+2)*3", 9],
      ["8-3-2", 3],
      ["8/4/2", 1],
      ["2*(3+(4-1))", 12],
      ["1/3*3", 1],
      [
        " 7 ",
        7,
      ],
      ["3 - 10", -7],
    ] as const
  ) assert.equal(value(text), want, text);
});

Deno.test("evaluateExpression() agrees with JavaScript on random expressions", () => {
  for (let row = 0; row < 300; row++) {
    let text = String(1 + integer(0, "expression", 0, row, 0, 9));
    for (let i = 1; i < 12; i += 3) {
      const operator = "+-*/"[integer(0, "expression", 0, row, i, 4)]!;
      text = `${text}${operator}${1 + integer(0, "expression", 0, row, i + 1, 9)}`;
      if (integer(0, "expression", 0, row, i + 2, 2)) text = `(${text})`;
    }
    const want = new Function(`return ${text}`)() as number;
    assert(Math.abs(value(text)! - want) <= 1e-9 * Math.max(1, Math.abs(want)), text);
  }
});

Deno.test("evaluateExpression() lists the operands and reduces the fraction", () => {
  assert.deepEqual(evaluateExpression("6/(1-5)"), { numerator: -3n, denominator: 2n, operands: [6, 1, 5] });
});

Deno.test("evaluateExpression() is null for anything else", () => {
  for (
    const text of [
      "",
      "()",
      "1+",
      "+1",
      "1 2",
      "1//2",
      "1/0",
      "1/(2-2)",
      "a",
      "1;2",
      "1e3",
      "0x10",
      "1..2",
      "(1",
      "1)",
      "2**3",
    ]
  ) assert.equal(evaluateExpression(text), null, text);
  assert.equal(evaluateExpression("1+".repeat(200) + "1"), null);
  assert.equal(evaluateExpression("9".repeat(40)), null);
});
