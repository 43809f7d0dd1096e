/** When an entropy counts as risen. */
import assert from "node:assert/strict";
import { entropyRise } from "../../../../steps/diagnoses/view/entropy_rise.ts";
import { longRun, noisy } from "../long_run.ts";
import { viewOf } from "../synthetic.ts";

const risen = (entropy: readonly number[], since = 100) => entropyRise(viewOf(longRun({ entropy })), since);

Deno.test("entropyRise() is a level of twice the lowest, beyond noise and since the best", () => {
  assert.match(risen(noisy((at) => 0.4 + 2 * Math.max(0, at - 0.5), 0.02))!.text, /from 0\.\d+ to 1\.\d+/);
  assert.equal(risen(noisy((at) => 0.4 + 0.3 * at, 0.02)), null, "less than twice");
  assert.equal(risen(noisy((at) => 0.4 - 0.3 * at, 0.02)), null, "a fall");
  assert.equal(risen(noisy((at) => at < 0.3 ? 1 : 0.4, 0.02)), null, "a fall to the best level, and no rise since");
  assert.equal(risen(noisy((at) => 0.2 + 0.5 * Math.min(at, 0.5), 0.01), 250), null, "before the best, and it stayed");
  assert.equal(risen([0.2, 0.4, 0.8]), null, "too few for a course");
});
