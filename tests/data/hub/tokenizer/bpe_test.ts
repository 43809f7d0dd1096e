import assert from "node:assert/strict";
import { BytePairs } from "../../../../data/hub/tokenizer/bpe.ts";

const VOCAB = { "<unk>": 0, a: 1, b: 2, c: 3, ab: 4, bc: 5, abc: 6, "<0xC3>": 7, "<0xA9>": 8 };
const pairs = (more: Record<string, unknown> = {}) =>
  new BytePairs({ type: "BPE", vocab: VOCAB, merges: ["b c", ["a", "b"], "a bc"], ...more });

Deno.test("BytePairs merges by rank, the leftmost of equal ones", () => {
  assert.deepEqual(pairs().encode("abc"), [6]);
  assert.deepEqual(pairs().encode("abab"), [4, 4]);
  assert.deepEqual(pairs({ merges: ["a b", "b c"] }).encode("abc"), [4, 3]);
  const long = "abc".repeat(5000);
  assert.deepEqual(pairs().encode(long), Array(5000).fill(6));
  assert.deepEqual(pairs().encode(""), []);
});

Deno.test("BytePairs takes a whole word before the merges where they are to be ignored", () => {
  assert.deepEqual(pairs({ merges: [] }).encode("abc"), [1, 2, 3]);
  assert.deepEqual(pairs({ merges: [], ignore_merges: true }).encode("abc"), [6]);
});

Deno.test("BytePairs falls back to bytes, else to the unknown token, fused or not; without one it drops what it does not know", () => {
  assert.deepEqual(pairs({ byte_fallback: true }).encode("aé"), [1, 7, 8]);
  assert.deepEqual(pairs({ byte_fallback: true, unk_token: "<unk>", fuse_unk: true }).encode("axyéb"), [1, 7, 8, 0, 2]);
  assert.deepEqual(pairs({ unk_token: "<unk>", fuse_unk: true }).encode("axyb"), [1, 0, 2]);
  assert.deepEqual(pairs({ unk_token: "<unk>" }).encode("axyb"), [1, 0, 0, 2]);
  assert.deepEqual(pairs().encode("axb"), [4]);
});

Deno.test("BytePairs refuses what it cannot follow", () => {
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ merges: ["a x"] }, /model\.merges\[0\] is "a x", want two tokens of the vocab whose union is one/],
    [{ merges: [["b", "c", "a"]] }, /model\.merges\[0\] is \["b","c","a"\], want two tokens/],
    [{ merges: ["c a"] }, /model\.merges\[0\]/],
    [{ merges: null }, /model\.merges is no list/],
    [{ vocab: { a: -1 } }, /model\.vocab has id -1 for "a"/],
    [{ vocab: [] }, /model\.vocab is no object/],
    [{ unk_token: "<x>" }, /model\.unk_token is "<x>", which is no token/],
    [{ dropout: 0.1 }, /model\.dropout is 0\.1/],
    [{ type: "WordPiece" }, /model\.type is "WordPiece"/],
  ];
  for (const [more, message] of cases) assert.throws(() => pairs(more), { name: "RangeError", message });
});
