import assert from "node:assert/strict";
import { normalizerOf } from "../../../../data/hub/tokenizer/normalizer.ts";

Deno.test("normalizerOf() follows each kind, a sequence in its order", () => {
  const of = (part: { type: string } & Record<string, unknown>, text: string) => normalizerOf(part)(text);
  assert.equal(of({ type: "NFC" }, "e\u0301"), "é");
  assert.equal(of({ type: "NFKD" }, "ﬁ"), "fi");
  assert.equal(of({ type: "Replace", pattern: { String: " " }, content: "$&" }, "a b"), "a$&b");
  assert.equal(of({ type: "Replace", pattern: { Regex: "\\s+" }, content: "_" }, "a \u0085b"), "a_b");
  assert.equal(of({ type: "Prepend", prepend: "▁" }, ""), "");
  const prepend = { type: "Prepend", prepend: "▁" },
    replace = { type: "Replace", pattern: { String: "▁" }, content: "x" };
  assert.equal(of({ type: "Sequence", normalizers: [prepend, replace] }, "a"), "xa");
  assert.equal(of({ type: "Strip", strip_left: true, strip_right: false }, "\u0085 a "), "a ");
  assert.equal(normalizerOf(null)("a"), "a");
});

Deno.test("a normalizer that would fill the memory is refused, by its place", () => {
  const replace = { type: "Replace", pattern: { String: "1" }, content: "1".repeat(64) };
  const all = normalizerOf({ type: "Sequence", normalizers: Array.from({ length: 4 }, () => replace) });
  assert.throws(() => all("1"), /"normalizer\.normalizers\[3\]" of tokenizer\.json makes \d+ characters of \d+/);
  assert.throws(
    () => normalizerOf({ type: "Prepend", prepend: "x".repeat(65) }),
    /"normalizer\.prepend" has 65 characters, want at most 64/,
  );
});
