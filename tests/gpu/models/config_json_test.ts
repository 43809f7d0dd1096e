import assert from "node:assert/strict";
import { flag, isObject, positive, positiveOrNull, positives, shown, size } from "../../../gpu/models/config_json.ts";

Deno.test("size(), positive() and flag() read what stands there", () => {
  const json = { hidden_size: 8, eps: 1e-6, on: true, none: null };
  assert.deepEqual([size(json, "hidden_size"), positive(json, "eps"), flag(json, "on"), flag(json, "absent")], [
    8,
    1e-6,
    true,
    false,
  ]);
  assert.deepEqual([positiveOrNull(json, "none"), positiveOrNull(json, "absent"), positiveOrNull(json, "eps")], [
    null,
    null,
    1e-6,
  ]);
  assert.deepEqual(positives({ list: [1, 2] }, "list", 2), [1, 2]);
  assert.deepEqual([isObject({}), isObject([]), isObject(null)], [true, false, false]);
  assert.equal(shown(undefined), "missing");
});

for (
  const [what, read, message] of [
    ["a word for a size", () => size({ n: "8" }, "n"), /"n" is "8", want a positive number/],
    ["a part of a size", () => size({ n: 1.5 }, "n"), /"n" is 1.5, want a whole number/],
    ["a size beyond any model", () => size({ hidden_size: 1e9 }, "hidden_size"), /want at most 131072/],
    ["a negative number", () => positive({ x: -1 }, "x"), /"x" is -1/],
    ["a zero where null is meant", () => positiveOrNull({ x: 0 }, "x"), /"x" is 0/],
    ["a word for a flag", () => flag({ x: "yes" }, "x"), /"x" is "yes", want true or false/],
    ["too short a list", () => positives({ x: [1] }, "x", 2), /"x" is a list of 1, want 2 positive numbers/],
    ["a list with a word", () => positives({ x: [1, "2"] }, "x", 2), /want 2 positive numbers/],
  ] as const
) {
  Deno.test(`A config.json with ${what} is refused by name`, () => {
    assert.throws(read, { name: "TypeError", message });
  });
}
