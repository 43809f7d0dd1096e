import assert from "node:assert/strict";
import { capitalized, decimalOf, stripped, titleCased, titled } from "../../../../data/hub/templates/python_text.ts";

Deno.test("stripped() takes characters off the ends that it is told of, by code points", () => {
  assert.equal(stripped("😀a😀", "😀", "strip"), "a");
  assert.equal(stripped("xyax", "yx", "lstrip"), "ax");
  assert.equal(stripped(" a\x1f", null, "rstrip"), " a");
  assert.equal(stripped("\ufeffa ", null, "strip"), "\ufeffa");
});

Deno.test("capitalized(), titled() and decimalOf() read as Python", () => {
  assert.deepEqual([capitalized("hELLO w"), titled("hELLO-w"), titled("ŉ")], ["Hello w", "Hello-W", "ʼN"]);
  assert.deepEqual(["3.7", " 1e3 ", "12a", "", "1_0", "inf"].map(decimalOf), [3.7, 1000, null, null, 10, null]);
});

Deno.test("titleCased() is the method title(), which begins a word behind every mark, where the filter does not", () =>
  assert.deepEqual([titleCased("it's 2nd ÉCOLE"), titled("it's 2nd ÉCOLE")], ["It'S 2Nd École", "It's 2nd École"]));
