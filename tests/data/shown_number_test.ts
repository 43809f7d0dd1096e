import assert from "node:assert/strict";
import { shownNumber } from "../../data/shown_number.ts";

Deno.test("shownNumber() keeps whole numbers, rounds others, and calls noise 0", () => {
  const shown = [3, 123456, 0.68333333, -0.00012345678, -3.469e-18, 2e-11, NaN, -Infinity].map((x) => shownNumber(x));
  assert.deepEqual(shown, ["3", "123456", "0.6833", "-0.0001235", "0", "2e-11", "NaN", "-Infinity"]);
  assert.equal(shownNumber(1 / 3, 2), "0.33");
});
