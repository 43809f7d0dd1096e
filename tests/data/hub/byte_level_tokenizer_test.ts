/** Our own tokenizer, read by the library that reads Hugging Face's. @module */
import assert from "node:assert/strict";
import { byteCharacters, byteLevelTokenizer } from "../../../data/hub/byte_level_tokenizer.ts";
import { loadTokenizer, makeTokenizer } from "../../../data/hub/tokenizer.ts";

const TEXTS = ["What is 12 + 34?", "What is the sum of 12 and 12?", "the the the sum"];

Deno.test("byteCharacters() orders bytes as GPT-2 does", () => {
  const { characterOf, order } = byteCharacters();
  assert.deepEqual([order[0], characterOf[32], order[220], order[198]], [33, "Ġ", 32, 10]);
  assert.equal(new Set(characterOf).size, 256);
  const reference = loadTokenizer("tests/models/tokenizer"); // the first 256 ids are the same bytes there
  order.forEach((byte, id) => assert.equal(reference.idToToken(id), characterOf[byte]));
});

Deno.test("without texts: 256 bytes and two special tokens; every text round-trips", () => {
  const tokenizer = makeTokenizer(byteLevelTokenizer(), "test");
  assert.deepEqual([tokenizer.vocabSize, tokenizer.padId, tokenizer.eosIds], [258, 256, [257]]);
  for (const text of ["", " ", "12+34=46\n", "é 😀 漢字", "<eos", "\t\r\n  x"]) {
    const ids = tokenizer.encode(text);
    assert.equal(ids.length, new TextEncoder().encode(text).length);
    assert.equal(tokenizer.decode(ids), text);
  }
  assert.deepEqual(tokenizer.encode("<eos>"), [257]);
  assert.equal(tokenizer.decode([257, 16]), "1");
});

Deno.test("merges shorten known words, never join digits, and are the same for the same texts", () => {
  const files = byteLevelTokenizer({ texts: TEXTS, maxTokens: 280 });
  const tokenizer = makeTokenizer(files, "test");
  assert.ok(tokenizer.vocabSize > 258 && tokenizer.vocabSize <= 280);
  assert.ok(tokenizer.encode("What is the sum").length < 10);
  const digits = tokenizer.encode("1212");
  assert.deepEqual(digits, [...digits.slice(0, 2), ...digits.slice(0, 2)]);
  assert.equal(digits.length, 4);
  for (const text of TEXTS) assert.equal(tokenizer.decode(tokenizer.encode(text)), text);
  assert.deepEqual([...byteLevelTokenizer({ texts: TEXTS, maxTokens: 280 })], [...files]);
});

Deno.test("the first merge is the most frequent pair", () => {
  const files = byteLevelTokenizer({ texts: ["ab ab ab cd"], maxTokens: 259 });
  const { model } = JSON.parse(files.get("tokenizer.json")!);
  assert.deepEqual(model.merges, [["a", "b"]]);
});

Deno.test("a pair that occurs less than minCount times is not merged", () => {
  const merges = (minCount?: number) => {
    const files = byteLevelTokenizer({ texts: ["ab ab ab cd"], maxTokens: 300, ...(minCount ? { minCount } : {}) });
    return JSON.parse(files.get("tokenizer.json")!).model.merges;
  };
  assert.deepEqual(merges(), [["a", "b"], ["Ġ", "ab"]]);
  assert.deepEqual(merges(3), [["a", "b"]]);
  assert.deepEqual(merges(1).length, 4);
});

Deno.test("too few tokens or repeated special tokens are refused", () => {
  assert.throws(() => byteLevelTokenizer({ maxTokens: 257 }), /want at least 258/);
  assert.throws(() => byteLevelTokenizer({ specialTokens: ["<a>", "<a>"] }), /all different/);
});

Deno.test("added texts are one token each, the longest first, kept by decode, and other texts round-trip", () => {
  const addedTexts = ["20", "200", "0.5", ", ", "<a>"];
  const tokenizer = makeTokenizer(
    byteLevelTokenizer({ addedTexts, specialTokens: ["<pad>", "<eos>", "<more>"] }),
    "test",
  );
  assert.deepEqual([tokenizer.vocabSize, tokenizer.padId, tokenizer.eosIds], [264, 261, [262]]);
  assert.deepEqual(addedTexts.map((text) => tokenizer.encode(text)), [[256], [257], [258], [259], [260]]);
  assert.deepEqual(tokenizer.encode("200, 20, 0.5<a><more>"), [257, 259, 256, 259, 258, 260, 263]);
  assert.deepEqual([...tokenizer.specialIds], [261, 262, 263]);
  assert.equal(tokenizer.decode([257, 259, 260, 263]), "200, <a>");
  for (const text of ["2000.5", "220", "120, 0 20", ",20", "a 0.50, <a", "200200", "é, 20"]) {
    assert.equal(tokenizer.decode(tokenizer.encode(text)), text);
  }
});

Deno.test("added texts of one character, repeated ones and special ones are refused", () => {
  for (const addedTexts of [["a"], [""], ["ab", "ab"], ["<eos>"]]) {
    assert.throws(() => byteLevelTokenizer({ addedTexts }), /^RangeError: Cannot make a tokenizer with added texts/);
  }
  assert.throws(() => byteLevelTokenizer({ addedTexts: ["ab"], maxTokens: 258 }), /want at least 259/);
});
