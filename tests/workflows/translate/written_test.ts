import assert from "node:assert/strict";
import { isRecord, isUnresolved, meant, shownValue } from "../../../workflows/translate/written.ts";

Deno.test("meant() reads numbers, truth and nothing as their writers mean them, and leaves texts", () => {
  const read = (text: string) => meant(text);
  assert.deepEqual(["1e-6", "-0.5", "1_000", ".28", "True", "false", "None", "null"].map(read), [
    1e-6,
    -0.5,
    1000,
    0.28,
    true,
    false,
    null,
    null,
  ]);
  assert.deepEqual(["1.2.3", "1e", "a b", ""].map(read), ["1.2.3", "1e", "a b", ""]);
  assert.deepEqual(meant(["1", "x"]), [1, "x"]);
  assert.deepEqual(["1.", "1_0.5_0e3", "._1"].map(read), [1, 10_500, "._1"]);
  const endless = `${"1".repeat(1_000_000)}x`; // a pattern that splits digits in two ways would take hours
  assert.equal(read(endless), endless);
});

Deno.test("shownValue() is one short line", () => {
  assert.equal(shownValue({ unresolved: "a\n  b" }), "a b");
  assert.equal(shownValue([1, { unresolved: "f" }]), "[1, f]");
  assert.equal(shownValue({ "()": "get_reward", a: 1 }), "get_reward(…)");
  assert.equal(shownValue({ a: 1e-6 }), "{a: 1e-6}");
  assert.equal(shownValue("x".repeat(99)).length, 60);
});

Deno.test("isRecord() and isUnresolved() tell the kinds of values apart", () => {
  assert.deepEqual([isRecord({}), isRecord([]), isRecord({ unresolved: "x" })], [true, false, false]);
  assert.deepEqual([isUnresolved({ unresolved: "x" }), isUnresolved("x")], [true, false]);
});
