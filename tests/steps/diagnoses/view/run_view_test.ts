/** The view itself. */
import assert from "node:assert/strict";
import { viewOf } from "../synthetic.ts";

Deno.test("RunView gives cells, rounding, evidence, and computes once", () => {
  const view = viewOf({ columns: { kl: [0, null, NaN] }, decimals: { kl: 3 } });
  assert.equal(view.records, 3);
  assert.equal(view.rounding("kl"), 0.0005);
  assert.equal(view.rounding("loss"), 0);
  assert.deepEqual(view.column("nothing"), []);
  assert(view.has("kl") && !view.has("loss"));
  assert.deepEqual(view.evidence("kl", 0, "why"), {
    source: "log.txt",
    line: 1,
    train_step: 1,
    name: "kl",
    value: 0,
    note: "why",
  });
  let count = 0;
  const once = () => view.memo("count", () => ++count);
  assert.deepEqual([once(), once()], [1, 1]);
});
