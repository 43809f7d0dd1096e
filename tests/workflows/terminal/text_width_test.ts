import assert from "node:assert/strict";
import { padded, shortened, textTable, textWidth, wrapped } from "../../../workflows/terminal/text_width.ts";

Deno.test("textWidth() counts columns of a terminal", () => {
  const widths = { abc: 3, "中文": 4, "😀": 2, "e\u0301": 1, "👨‍👩‍👧": 2, "한국어": 6, "": 0, "…": 1 };
  assert.deepEqual(Object.keys(widths).map(textWidth), Object.values(widths));
});

Deno.test("shortened() leaves room for its dots and never cuts a character apart", () => {
  const texts = [["abcdef", "abcd…"], ["abcde", "abcde"], ["中文中文", "中文…"], ["a😀😀😀", "a😀…"], [
    "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧",
    "👨‍👩‍👧👨‍👩‍👧…",
  ]];
  for (const [text, short] of texts) {
    assert.equal(shortened(text!, 5), short);
    assert(textWidth(shortened(text!, 5)) <= 5);
  }
});

Deno.test("padded() fills up to a width on either side", () => {
  assert.deepEqual([padded("中", 4), padded("中", 4, "left"), padded("long", 2)], ["中  ", "  中", "long"]);
});

Deno.test("textTable() aligns numbers right and texts left", () => {
  assert.deepEqual(textTable(["name", "n"], [["a", "1"], ["long", "20"]]), ["name   n", "a      1", "long  20"]);
});

Deno.test("textTable() keeps columns straight under wide characters", () => {
  const lines = textTable(["prompt", "n"], [["中文😀", "1"], ["abc", "2"]]);
  assert.deepEqual(lines, ["prompt  n", "中文😀  1", "abc     2"]);
});

Deno.test("wrapped() breaks at spaces and keeps long words whole", () => {
  assert.deepEqual(wrapped("aa bb cc dddddddd e", 5), ["aa bb", "cc", "dddddddd", "e"]);
  assert.deepEqual(wrapped("", 5), [""]);
});
