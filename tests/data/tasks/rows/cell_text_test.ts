import assert from "node:assert/strict";
import { answerText, cellText, textOf } from "../../../../data/tasks/rows/cell_text.ts";

Deno.test("cellText() takes texts, numbers and lists, and names the fields of an object", () => {
  assert.deepEqual([null, undefined, "a", 1.5, true, [1, "b"]].map((value) => cellText(value, "c")), [
    "",
    "",
    "a",
    "1.5",
    "true",
    '[1,"b"]',
  ]);
  assert.throws(() => cellText({ a: { b: 1 } }, "c"), /column "c" holds an object, .* its field: c\.a\.b$/);
  assert.throws(() => cellText(NaN, "c"), /holds NaN/);
  assert.throws(() => cellText(new Uint8Array(1), "c"), /holds bytes/);
  assert.equal(textOf(["a"]), '["a"]');
});

Deno.test("answerText() takes an object for verifiers that read JSON, and for no other", () => {
  for (const name of ["json_schema", "unit_tests"]) assert.equal(answerText({ a: 1 }, "c", name), '{"a":1}');
  for (const name of ["exact", "none", "constructor"]) assert.throws(() => answerText({ a: 1 }, "c", name), /object/);
  assert.equal(answerText("x", "c", "json_schema"), "x");
});
