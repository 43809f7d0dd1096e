import assert from "node:assert/strict";
import { byteText, preTokenizerOf } from "../../../../data/hub/tokenizer/pre_tokenizer.ts";

const words = (part: { type: string } & Record<string, unknown>, text: string, isFirst = true) =>
  preTokenizerOf(part)([text], isFirst);

Deno.test("preTokenizerOf() splits by each behavior as NormalizedString::split does", () => {
  const split = (behavior: string, invert = false) =>
    words({ type: "Split", pattern: { String: "-" }, behavior, invert }, "the-final--countdown");
  assert.deepEqual(split("Removed"), ["the", "final", "countdown"]);
  assert.deepEqual(split("Isolated"), ["the", "-", "final", "-", "-", "countdown"]);
  assert.deepEqual(split("MergedWithPrevious"), ["the-", "final-", "-", "countdown"]);
  assert.deepEqual(split("MergedWithNext"), ["the", "-final", "-", "-countdown"]);
  assert.deepEqual(split("Contiguous"), ["the", "-", "final", "--", "countdown"]);
  assert.deepEqual(split("Removed", true), ["-", "-", "-"]);
});

Deno.test("preTokenizerOf() knows digits and white space of Unicode", () => {
  assert.deepEqual(words({ type: "Digits", individual_digits: true }, "a12½٣"), ["a", "1", "2", "½", "٣"]);
  assert.deepEqual(words({ type: "Digits" }, "a12½b"), ["a", "12½", "b"]);
  assert.deepEqual(words({ type: "WhitespaceSplit" }, "a\u0085b \ufeffc"), ["a", "b", "\ufeffc"]);
  assert.deepEqual(words({ type: "Whitespace" }, "it's é!?"), ["it", "'", "s", "é", "!?"]);
  assert.deepEqual(words({ type: "Punctuation" }, "a,b~"), ["a", ",", "b", "~"]);
});

Deno.test("preTokenizerOf() writes bytes as characters, with GPT-2's words unless told not to", () => {
  assert.deepEqual(words({ type: "ByteLevel", add_prefix_space: false }, "it's  é"), ["it", "'s", "Ġ", "ĠÃ©"]);
  assert.deepEqual(words({ type: "ByteLevel", add_prefix_space: true, use_regex: false }, "a b"), ["ĠaĠb"]);
  assert.equal(byteText("\n"), "Ċ");
});

Deno.test("preTokenizerOf() marks spaces, with one before the text where the scheme says so", () => {
  const meta = (more: Record<string, unknown>, isFirst = true) =>
    words({ type: "Metaspace", replacement: "▁", ...more }, "a b", isFirst);
  assert.deepEqual(meta({ prepend_scheme: "always", split: false }), ["▁a▁b"]);
  assert.deepEqual(meta({ prepend_scheme: "first", split: false }, false), ["a▁b"]);
  assert.deepEqual(meta({ prepend_scheme: "never" }), ["a", "▁b"]);
  assert.deepEqual(meta({}), ["▁a", "▁b"]);
  assert.throws(() => meta({ prepend_scheme: "x" }), /pre_tokenizer\.prepend_scheme is "x"/);
});

Deno.test("preTokenizerOf() takes Metaspace's replacement letter by letter, as no expression", () => {
  const split = preTokenizerOf({ type: "Metaspace", replacement: ".", prepend_scheme: "never" });
  assert.deepEqual(split(["ab cd"], true), ["ab", ".cd"]);
});
