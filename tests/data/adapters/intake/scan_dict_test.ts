import assert from "node:assert/strict";
import { NO_DICT, scanDict, UNFINISHED, unquote } from "../../../../data/adapters/intake/scan_dict.ts";
import { Stage } from "../../../../data/adapters/intake/stage.ts";

function scan(text: string) {
  const stage = new Stage();
  const end = scanDict(text, 0, stage);
  const values = stage.infos.slice(0, stage.count).map((info, i) => [info.printed, stage.values[i], stage.decimals[i]]);
  return { end, values, texts: stage.texts.map(({ name, value }) => [name, value]) };
}

Deno.test("scanDict() reads names, numbers and texts and returns where the dict ends", () => {
  const { end, values, texts } = scan(
    `{"a": 1.5, 'b': -2e3, 'c': 'x, {y}', 'd': [1, {'e': 2}], 'f': None, 'g': True} tail`,
  );
  assert.equal(end, `{"a": 1.5, 'b': -2e3, 'c': 'x, {y}', 'd': [1, {'e': 2}], 'f': None, 'g': True}`.length);
  assert.deepEqual(values, [["a", 1.5, -1], ["b", -2000, -1], ["f", NaN, -2], ["g", 1, -1]]);
  assert.deepEqual(texts, [["c", "x, {y}"], ["d", "[1, {'e': 2}]"]]);
});

Deno.test("scanDict() reads the same record again through the names it expects", () => {
  const stage = new Stage();
  const first = "{'loss': 0.5, 'kl': nan, 'step': '3'}", second = "{'loss': 0.25, 'kl': 1e-05, 'step': '4'}";
  scanDict(first, 0, stage);
  stage.reset();
  assert.equal(scanDict(second, 0, stage), second.length);
  assert.deepEqual(stage.values.slice(0, stage.count), [0.25, 1e-5, 4]);
  stage.reset();
  const other = "{'loss': 0.75, 'new': 2, 'kl': 0.125}";
  assert.equal(scanDict(other, 0, stage), other.length);
  assert.deepEqual(stage.infos.slice(0, stage.count).map(({ printed }) => printed), ["loss", "new", "kl"]);
});

for (
  const [text, end] of [
    ["{'a': 1", UNFINISHED],
    ["{'a': 1.", UNFINISHED],
    ["{'a': 'x", UNFINISHED],
    ["{'a'", UNFINISHED],
    ["{'a': [1, 2", UNFINISHED],
    ["{'a': tensor(0.5, dev", UNFINISHED],
    ["{a: 1}", NO_DICT],
    ["{'a' 1}", NO_DICT],
    ["{'a': 1; 'b': 2}", NO_DICT],
    ["{'a': 1 2}", NO_DICT],
    ["{}", 2],
    ["{'a': 1,}", 9],
  ] as const
) {
  Deno.test(`scanDict() of ${text} is ${end}`, () => assert.equal(scan(text).end, end));
}

Deno.test("scanDict() refuses a dict nested without end", () => {
  assert(scan("{'a': ".repeat(5000)).end < 0);
});

Deno.test("unquote() takes quotes and escapes off", () => {
  assert.equal(unquote(`'it\\'s \\n\\u00e9'`), "it's \né");
});

Deno.test("scanDict() joins the parts of a long text, also with an empty one", () => {
  assert.deepEqual(scan("{'a': 'b'\n 'c', 'd': 'e' ''}").texts, [["a", "bc"], ["d", "e"]]);
});

Deno.test("scanDict() waits for more wherever the text is cut, inside an exponent, too", () => {
  const text =
    `{"clip/x": 0.0625, "a": 1e-05, 'b': -3, "c": null, "d": NaN, "e": "x\\"y", "f": [1, 2], "g": -Infinity}`;
  for (let end = 1; end < text.length; end++) {
    assert.equal(scanDict(text.slice(0, end), 0, new Stage()), UNFINISHED, text.slice(0, end));
  }
  assert.equal(scanDict(text, 0, new Stage()), text.length);
});
