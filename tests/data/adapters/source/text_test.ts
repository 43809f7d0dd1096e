import assert from "node:assert/strict";
import { encodingOf, headText, plainPunctuation, stripAnsi } from "../../../../data/adapters/source/text.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("encodingOf() knows marks, UTF-16 without a mark, and what is no text", () => {
  assert.equal(encodingOf(bytes("{'loss': 1}")), "utf-8");
  assert.equal(encodingOf(Uint8Array.of(0xff, 0xfe, 0x61, 0)), "utf-16le");
  assert.equal(encodingOf(Uint8Array.of(0xfe, 0xff, 0, 0x61)), "utf-16be");
  assert.equal(encodingOf(Uint8Array.from({ length: 100 }, (_, i) => i % 2 ? 0 : 97)), "utf-16le");
  assert.equal(encodingOf(Uint8Array.from({ length: 100 }, (_, i) => i % 2 ? 97 : 0)), "utf-16be");
  assert.equal(encodingOf(new Uint8Array(100)), "binary");
  assert.equal(headText(Uint8Array.from({ length: 100 }, (_, i) => i % 7)), null);
});

Deno.test("headText() is a text that a crash left NUL bytes in or behind; archives and programs are none", () => {
  const log = "{'loss': 0.5, 'grad_norm': 0.25, 'learning_rate': 1e-06}\n".repeat(4), nuls = "\0".repeat(64);
  assert.equal(headText(bytes(log + nuls)), log);
  assert.equal(headText(bytes(log + nuls + log)), log + log);
  assert.equal(headText(bytes(log.replaceAll("0.5", "0.\x005") + "é")), log + "é");
  assert.equal(headText(bytes("a\0".repeat(2) + "b".repeat(40) + "c\0\x01".repeat(9))), null);
  assert.equal(headText(bytes("log.txt".padEnd(257, "\0") + "ustar".padEnd(255, "\0") + log.repeat(9))), null);
  assert.equal(headText(bytes(log.slice(0, 60).replaceAll(" ", "\0"))), null);
});

Deno.test("stripAnsi() takes colours, cursor moves and titles out", () => {
  assert.equal(stripAnsi("\x1b[1;31mred\x1b[0m \x1b[2K\x1b]0;title\x07x"), "red x");
  assert.equal(stripAnsi("plain [1m"), "plain [1m");
});

Deno.test("plainPunctuation() turns full-width signs and curly quotes into plain ones", () => {
  assert.equal(plainPunctuation("｛‘a’：1，“b”：2｝"), "{'a':1,\"b\":2}");
  assert.equal(plainPunctuation("a – b"), "a – b", "a dash in prose stays");
});
