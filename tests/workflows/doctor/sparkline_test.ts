import assert from "node:assert/strict";
import { sparkline } from "../../../workflows/doctor/sparkline.ts";

Deno.test("sparkline() rises with the values, marks NaN and leaves gaps", () => {
  assert.equal(sparkline([0, 1, 2, 3, 4, 5, 6, 7], 8), "▁▂▃▄▅▆▇█");
  assert.equal(sparkline([0, NaN, null, 7], 4)[1], "×");
  assert.equal(sparkline([0, NaN, null, 7], 4)[2], " ");
  assert.equal(sparkline(Array.from({ length: 100 }, (_, i) => i), 10).length, 10);
});
