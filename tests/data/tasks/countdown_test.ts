import assert from "node:assert/strict";
import { countdown } from "../../../data/tasks/countdown.ts";
import { stored, testsOfEveryTask } from "./every_task.ts";

const rows = testsOfEveryTask("countdown", 10_000);
const ROW = { operands: "3,5,8", target: 23 };

Deno.test("countdown accepts any expression that uses each operand once and gives the target", () => {
  for (const right of ["3*5+8", "8 + 5*3", "(5*3)+8", "3×5+8", "3*5+8=23", "3*5+8 = 23"]) {
    assert.equal(countdown.verify(right, ROW), true, right);
  }
});

Deno.test("countdown refuses other operands, other values and what is no expression", () => {
  for (
    const wrong of [
      "23",
      "8+15",
      "3*5",
      "3*5+8+0",
      "3*5+8*1",
      "3+5+8",
      "3*5+8=24",
      "3*5+8=23=23",
      "35-8-3",
      "3*5+8;",
      "3**5",
      "3*5+(8",
      "3*5+8)",
      "8/0+3*5",
      "Deno.exit()",
      "3*5+8 // 23",
      "+3*5+8",
      "-3*-5+8",
      "3.0*5+8",
      "3e0*5+8",
    ]
  ) assert.equal(countdown.verify(wrong, ROW), false, wrong);
});

Deno.test("countdown divides exactly: 8/(3-8/3) is 24", () => {
  const row = { operands: "3,3,8,8", target: 24 };
  assert.equal(countdown.verify("8/(3-8/3)", row), true);
  assert.equal(countdown.verify("8/3+8/3", { operands: "3,3,8,8", target: 5 }), false);
  assert.equal(countdown.verify("6/4", { operands: "4,6", target: 3 }), false, "3/2 is not 3");
});

Deno.test("countdown verifies a repeated operand as often as it is given", () => {
  assert.equal(countdown.verify("4+4", { operands: "4,4", target: 8 }), true);
  assert.equal(countdown.verify("4+4", { operands: "4,2", target: 8 }), false);
  assert.equal(countdown.verify("4*2", { operands: "4,4", target: 8 }), false);
});

Deno.test("countdown.rows() needs all operators, and parentheses", () => {
  for (const part of ["+", "-", "*", "/", "("]) assert(rows.some(({ answer }) => answer.includes(part)), part);
  assert.equal(countdown.verify(rows[0]!.answer, stored(rows[1]!)), false);
});
