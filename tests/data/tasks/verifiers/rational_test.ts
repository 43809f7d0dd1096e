import assert from "node:assert/strict";
import { closeRational, decimal, over, plus, rational, times } from "../../../../data/tasks/verifiers/rational.ts";

Deno.test("decimal() reads digits exactly, and nothing else", () => {
  assert.deepEqual(decimal("-12.50e1"), rational(-125n));
  assert.deepEqual(decimal("1e-2"), rational(1n, 100n));
  assert.deepEqual(decimal(".5"), rational(1n, 2n));
  for (const text of ["", ".", "1e400", "1e", "0x10", "1,2", "9".repeat(400)]) assert.equal(decimal(text), null, text);
});

Deno.test("sums, products and quotients are in lowest terms", () => {
  const half = rational(1n, 2n), third = rational(-2n, -6n);
  assert.deepEqual(plus(half, third), rational(5n, 6n));
  assert.deepEqual(times(half, third), rational(1n, 6n));
  assert.deepEqual(over(half, third), rational(3n, 2n));
  assert.equal(over(half, rational(0n)), null);
});

Deno.test("closeRational() is relative to the larger number, absolute where told, and exact for 0", () => {
  assert(closeRational(rational(1001n), rational(1000n), 1e-3));
  assert(!closeRational(rational(1002n), rational(1000n), 1e-3));
  assert(!closeRational(rational(1n, 1000n), rational(0n), 1e-3));
  assert(!closeRational(rational(0n), rational(1n, 1000n), 1e-3));
  assert(closeRational(rational(1n, 1000n), rational(0n), 0, 1e-3));
  assert(!closeRational(rational(1n, 999n), rational(0n), 0, 1e-3));
  assert(
    closeRational(rational(-1000n), rational(-999n), 1e-3) && !closeRational(rational(-1000n), rational(998n), 1e-3),
  );
  assert(!closeRational(rational(10n ** 30n + 1n), rational(10n ** 30n), 0));
});
