import assert from "node:assert/strict";
import { decodeText } from "../../../data/datasets/text_encoding.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);

Deno.test("decodeText() takes UTF-8, and what a mark says, without a word", () => {
  assert.equal(decodeText(bytes(0xef, 0xbb, 0xbf, 0xc3, 0xa9), null), "é");
  assert.equal(decodeText(bytes(0xfe, 0xff, 0x4e, 0x00), null), "一");
});

Deno.test("decodeText() says what a line may be, the likeliest first", () => {
  const cases: readonly (readonly [name: string, bytes: Uint8Array, text: string])[] = [
    ["gb18030", bytes(0xce, 0xca, 0xcc, 0xe2), "问题"],
    ["shift_jis", bytes(0x83, 0x65, 0x83, 0x58, 0x83, 0x67), "テスト"],
    ["windows-1252", bytes(0x63, 0x61, 0x66, 0xe9, 0x20, 0x78), "café"],
  ];
  for (const [name, line, text] of cases) {
    assert.throws(
      () => decodeText(line, null),
      new RegExp(`^SyntaxError: line 1 is no utf-8 text; .*${name} the line reads "${text}`),
    );
  }
  assert.throws(() => decodeText(bytes(0x61, 0x0a, 0xff, 0xff, 0xff), null), /^SyntaxError: line 2 is no utf-8 text/);
});
