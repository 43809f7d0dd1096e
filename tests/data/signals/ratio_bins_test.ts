import assert from "node:assert/strict";
import { RATIO_BINS } from "../../../data/signals/ratio_bins.ts";

Deno.test("every log-ratio has the bin whose edges it lies between, the outer ones hold the rest", () => {
  for (const x of [-0.99, -0.3, -0.02, 0, 0.02, 0.026, 0.7, 0.99]) {
    const { from, to } = RATIO_BINS.edgesOf(RATIO_BINS.binOf(x));
    assert(Math.log(from) <= x && x <= Math.log(to), `${x} in ${from} to ${to}`);
  }
  assert.deepEqual([RATIO_BINS.binOf(-50), RATIO_BINS.binOf(50)], [0, RATIO_BINS.count - 1]);
  assert.equal(RATIO_BINS.binOf(0), 20);
  assert(Number.isNaN(RATIO_BINS.binOf(NaN)));
});
