import assert from "node:assert/strict";
import { operated } from "../../../../data/hub/templates/python_operators.ts";
import { valueOf } from "../../../../data/hub/templates/python_values.ts";

Deno.test("operated() has the divisor's sign in a rest, and refuses what Python does", () => {
  const of = (operator: string, a: unknown, b: unknown) => operated(operator, valueOf(a), valueOf(b))?.value;
  assert.deepEqual([of("%", -7, 3), of("%", 7, -3), of("//", -7, 2), of("~", true, 1)], [2, -2, -4, "True1"]);
  assert.throws(() => of("%", 1, 0), /divides by zero/);
  assert.throws(() => of("+", "a", 1), /want two texts/);
  assert.throws(() => of("*", 2 ** 52, 4), /beyond 2\^53/);
  assert.equal(of("<", "a", "b"), undefined);
});
