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

Deno.test("stepsFrom() lists 128 train steps at most, and cutFrom() says what the whole list is", () => {
  const view = viewOf({ columns: { loss: Array(400).fill(1) } }), listed = view.stepsFrom(99);
  assert.deepEqual([listed.length, listed[0], listed.at(-1)], [128, 100, 227]);
  assert.deepEqual(view.cutFrom(listed), { count: 301, until: 400 });
  assert.equal(view.cutFrom(view.stepsFrom(272)), undefined, "128 of 128 are whole");
});
