import assert from "node:assert/strict";
import { partAt, partsAt, unsupported } from "../../../../data/hub/tokenizer/part.ts";

Deno.test("a part is named by its place", () => {
  assert.equal(partAt("x", { type: "a" }).type, "a");
  assert.throws(() => partsAt("x", [{ type: "a" }, 3]), /^RangeError: x\[1\] is 3, want an object with a type$/);
  assert.throws(() => partsAt("x", {}), /x is no list/);
  assert.equal(unsupported("x.type", "B", ["C", "D"]).message, 'x.type is "B", which is not supported; want "C", "D"');
});
