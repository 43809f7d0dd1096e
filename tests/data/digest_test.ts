/** Digests against published values. @module */
import assert from "node:assert/strict";
import { canonicalJson, sha256 } from "../../data/digest.ts";

Deno.test("sha256() agrees with FIPS 180-2, in one part or several", () => {
  const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  assert.equal(sha256("abc"), want);
  assert.equal(sha256("a", new TextEncoder().encode("bc")), want);
});

Deno.test("canonicalJson() sorts keys at every depth and tells NaN from null", () => {
  assert.equal(canonicalJson({ b: { d: 1, c: [2] }, a: null }), '{"a":null,"b":{"c":[2],"d":1}}');
  assert.notEqual(canonicalJson({ a: NaN }), canonicalJson({ a: null }));
});
