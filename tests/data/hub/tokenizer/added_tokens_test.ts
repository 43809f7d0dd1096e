import assert from "node:assert/strict";
import { AddedTokens, readAddedTokens } from "../../../../data/hub/tokenizer/added_tokens.ts";

const split = (text: string, ...tokens: Record<string, unknown>[]) =>
  new AddedTokens(
    readAddedTokens(tokens.map((token, id) => ({ id, special: true, ...token }))),
    (raw) => raw.toUpperCase(),
  )
    .split(text).map((stretch) => "id" in stretch ? stretch.id : stretch.text);

Deno.test("AddedTokens takes the leftmost, of those the longest, and normalizes what is between", () => {
  assert.deepEqual(split("a<s><s>>b", { content: "<s>" }, { content: "<s>>" }), ["A", 0, 1, "B"]);
  assert.deepEqual(split("", { content: "<s>" }), []);
  assert.deepEqual(split("a b"), ["A B"]);
  // A normalized token is looked for in what the normalizer made.
  assert.deepEqual(split("a x b", { content: "x", normalized: true }), ["A ", 0, " B"]);
});

Deno.test("AddedTokens heeds white space and words around a token", () => {
  assert.deepEqual(split("a \t<m>\u0085 b", { content: "<m>", lstrip: true, rstrip: true }), ["A", 0, "B"]);
  assert.deepEqual(
    split("a \ufeff<m>", { content: "<m>", lstrip: true }),
    ["A \ufeff", 0],
    "no white space to tokenizers",
  );
  assert.deepEqual(split("is this is_ is", { content: "is", single_word: true }), [0, " THIS IS_ ", 0]);
  assert.deepEqual(split("é\u0301is 𝒳is", { content: "is", single_word: true }), ["É\u0301IS 𝒳IS"]);
});

Deno.test("readAddedTokens() takes plain tokens as normalized where it is not said", () => {
  const [a, b] = readAddedTokens([{ id: 1, content: "a", special: true }, { id: 2, content: "b" }]);
  assert.deepEqual([a!.normalized, b!.normalized], [false, true]);
  assert.deepEqual(readAddedTokens(undefined), []);
  assert.throws(() => readAddedTokens({}), /added_tokens is no list/);
});
