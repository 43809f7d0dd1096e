import assert from "node:assert/strict";
import { decoderOf } from "../../../../data/hub/tokenizer/decoder.ts";

const decode = (part: ({ type: string } & Record<string, unknown>) | null, ...tokens: string[]) =>
  decoderOf(part)(tokens);

Deno.test("decoderOf() joins bytes, keeps a byte order mark, and takes other tokens as they are", () => {
  assert.equal(decode({ type: "ByteLevel" }, "Ã", "©", "Ġa"), "é a");
  assert.equal(decode({ type: "ByteLevel" }, "ï»¿a"), "\ufeffa");
  assert.equal(decode({ type: "ByteLevel" }, "Ã", "a"), "\ufffda");
  assert.equal(decode({ type: "ByteLevel" }, "古 x"), "古 x");
});

Deno.test("decoderOf() gives one U+FFFD for each byte of a run that is no UTF-8", () => {
  assert.equal(decode({ type: "ByteFallback" }, "<0xC3>", "<0xA9>", "a", "<0xE2>", "<0x82>"), "éa\ufffd\ufffd");
  assert.equal(decode({ type: "ByteFallback" }, "<0xEF>", "<0xBB>", "<0xBF>"), "\ufeff");
});

Deno.test("decoderOf() strips, replaces, fuses in the order of its sequence", () => {
  const strip = { type: "Strip", content: " ", start: 1, stop: 0 },
    replace = { type: "Replace", pattern: { String: "▁" }, content: " " };
  assert.equal(decode({ type: "Sequence", decoders: [replace, { type: "Fuse" }, strip] }, "▁", "▁a▁b"), " a b");
  assert.equal(decode({ type: "Sequence", decoders: [replace, strip] }, "▁a", "▁b"), "ab");
  assert.equal(decode({ type: "Strip", content: "x", start: 0, stop: 2 }, "axxx"), "ax");
  assert.equal(decode({ type: "Metaspace" }, "▁a", "▁b"), "a b");
  assert.equal(decode({ type: "Metaspace", prepend_scheme: "never" }, "▁a"), " a");
  assert.equal(decode(null, "a", "b"), "a b");
});
