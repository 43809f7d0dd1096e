import assert from "node:assert/strict";
import { decimalText, timeText } from "../../data/exact_values.ts";

Deno.test("decimalText() has every digit, and zeros before and behind", () => {
  const cases = [[115n, 2, "1.15"], [-5n, 2, "-0.05"], [0n, 2, "0.00"], [12n, 0, "12"], [-12n, -3, "-12000"], [
    0n,
    -3,
    "0",
  ]];
  for (const [unscaled, scale, text] of cases) assert.equal(decimalText(unscaled as bigint, scale as number), text);
});

Deno.test("timeText() has as many digits of a second as the time needs", () => {
  assert.equal(timeText(1n, 1n), "1970-01-01T00:00:01.000Z");
  assert.equal(timeText(1_000n, 1_000_000n), "1970-01-01T00:00:00.001Z");
  assert.equal(timeText(-1n, 1_000_000n), "1969-12-31T23:59:59.999999Z");
  assert.equal(timeText(10n, 1_000_000_000n), "1970-01-01T00:00:00.000000010Z");
  assert.equal(timeText(2n ** 62n, 1n), null);
});
