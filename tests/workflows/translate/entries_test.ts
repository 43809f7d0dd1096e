import assert from "node:assert/strict";
import {
  alike,
  choice,
  computed,
  each,
  lacking,
  noNumber,
  number,
  placeOf,
} from "../../../workflows/translate/entries.ts";
import type { Given } from "../../../workflows/translate/table.ts";

const given: Given = {
  value: () => null,
  number: (_, otherwise) => otherwise,
  count: (_, otherwise) => otherwise,
  isWritten: () => false,
};

Deno.test("number() sets a number, is equal at ours, and refuses the rest", () => {
  const entry = number("a.b", 1, 0.2);
  assert.deepEqual([entry.default, entry.make(3, given)], [1, { set: { "a.b": 3 } }]);
  assert("equal" in entry.make(0.2, given) && "lacks" in entry.make("x", given) && "lacks" in noNumber("x"));
});

Deno.test("choice(), lacking(), alike(), computed() and each() make entries of words and sentences", () => {
  const entry = choice("x", { x: { "a.b": 1 }, y: { equal: "same" } }, "x holds");
  assert.deepEqual([entry.make("x", given), entry.make(["y"], given)], [{ set: { "a.b": 1 } }, { equal: "same" }]);
  assert.deepEqual(entry.make("z", given), { lacks: '"z" is not here; x holds' });
  const missing = lacking("why", { at: [false], text: "off" });
  assert.deepEqual([missing.make(false, given), missing.make(true, given)], [{ equal: "off" }, { lacks: "why" }]);
  assert.deepEqual(Object.keys(each(" a b\n c ", alike("x"))), ["a", "b", "c"]);
  assert.equal(computed(2, () => ({ equal: "" })).default, 2);
});

Deno.test("placeOf() keeps paths and puts names into a folder", () => {
  assert.deepEqual(["Qwen/Qwen2.5-0.5B", "./here", "/there", "gpt2"].map((name) => placeOf(name, "models")), [
    "./models/Qwen2.5-0.5B",
    "./here",
    "/there",
    "./models/gpt2",
  ]);
});
