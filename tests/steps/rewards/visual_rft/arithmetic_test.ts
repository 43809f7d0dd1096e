import assert from "node:assert/strict";
import { arithmetic } from "../../../../steps/rewards/visual_rft/arithmetic.ts";

Deno.test("arithmetic() computes with the usual precedence", () => {
  const values: Record<string, number> = {
    "737-800": -63,
    "2*3+4": 10,
    "2+3*4": 14,
    "(1/2)^3": 0.125,
    "-2**2": -4,
    "2**-1": 0.5,
    "10-4-3": 3,
    "1.5e2 / 3": 50,
    "12": 12,
  };
  for (const [text, want] of Object.entries(values)) assert.equal(arithmetic(text), want, text);
});

Deno.test("arithmetic() is null for what is no expression of numbers", () => {
  for (const text of ["", "a", "2 3", "(2", "2)", "2+", "1/0", "007", "2(3)", "1..2", "×"]) {
    assert.equal(arithmetic(text), null, text);
  }
});

Deno.test("arithmetic() gives up on brackets and signs that are too deep, instead of running out of stack", () => {
  for (const piece of ["-", "(", "2**", "-("]) assert.equal(arithmetic(piece.repeat(1e5)), null, piece);
  assert.equal(arithmetic(`${"(".repeat(30)}7${")".repeat(30)}`), 7);
  assert.equal(arithmetic(`1${"+1".repeat(500)}`), 501, "a long one is not deep");
});
