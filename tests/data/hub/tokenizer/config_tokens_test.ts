import assert from "node:assert/strict";
import { readAddedTokens } from "../../../../data/hub/tokenizer/added_tokens.ts";
import { namedTokens, withConfigTokens } from "../../../../data/hub/tokenizer/config_tokens.ts";

const ADDED = readAddedTokens([{ id: 4, content: "<s>", special: true }, {
  id: 5,
  content: "<think>",
  normalized: false,
}]);
const VOCABULARY = new Map([["a", 0], ["b", 1], ["c", 2], ["d", 3]]);
const tokens = (settings: Record<string, unknown>) =>
  withConfigTokens(ADDED, VOCABULARY, settings).map((
    { content, id, special, rstrip },
  ) => [content, id, special, rstrip]);
const own = [["<s>", 4, true, false], ["<think>", 5, false, false]];

Deno.test("namedTokens() takes texts and objects", () => {
  assert.deepEqual(namedTokens({ eos_token: "x", pad_token: { content: "y" }, bos_token: null, add_bos_token: true }), {
    eos_token: "x",
    pad_token: "y",
  });
});

Deno.test("withConfigTokens() adds what tokenizer.json lacks, as transformers 5 does", () => {
  assert.deepEqual(tokens({ eos_token: "<s>" }), own);
  assert.deepEqual(tokens({ eos_token: "<new>" }), [...own, ["<new>", 6, true, false]]);
  assert.deepEqual(tokens({ eos_token: "<think>" }), [own[0], ["<think>", 5, true, false]]);
  assert.deepEqual(tokens({ additional_special_tokens: ["<think>", "<x>"] }), [...own, ["<x>", 6, true, false]]);
  const decoder = { 4: { content: "<s>", special: true, rstrip: true }, 6: { content: "<y>", special: false } };
  assert.deepEqual(tokens({ added_tokens_decoder: decoder }), [["<s>", 4, true, true], own[1], [
    "<y>",
    6,
    false,
    false,
  ]]);
  assert.deepEqual(tokens({ added_tokens_decoder: { 1: { content: "b" } } }), [...own, ["b", 1, false, false]]);
});

Deno.test("withConfigTokens() refuses an id that the token would not get", () => {
  assert.throws(() => tokens({ added_tokens_decoder: { 9: { content: "<y>" } } }), {
    message: 'added_tokens_decoder of tokenizer_config.json has id 9 for "<y>", which is 6 by tokenizer.json',
  });
  assert.throws(() => tokens({ added_tokens_decoder: { 9: {} } }), /has no content for 9/);
});
