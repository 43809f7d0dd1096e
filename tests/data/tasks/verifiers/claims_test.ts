import assert from "node:assert/strict";
import {
  boxClaim,
  hashClaim,
  isTakenBack,
  lastClaim,
  phraseClaim,
  phraseClaims,
} from "../../../../data/tasks/verifiers/claims.ts";

Deno.test("a claim is what follows its mark, up to the end of the line or sentence", () => {
  assert.equal(hashClaim("#### 1\n#### 2 apples\nmore")?.said, "2 apples");
  assert.equal(boxClaim("\\boxed{3}")?.said, "3");
  assert.equal(phraseClaim("The answer is 3.5. Done.")?.said, "3.5");
  assert.equal(phraseClaim("**Answer:** 3")?.said, "3");
  assert.deepEqual(phraseClaims("the answer is 1. Answer: 2").map(({ said }) => said), ["1", "2"]);
  assert.equal(phraseClaim("the answer is not 3")?.said, "");
  assert.equal(lastClaim("the answer is 1.\n#### 2")?.kind, "hashes");
  assert.equal(lastClaim("nothing"), null);
});

Deno.test("isTakenBack() wants words that take back, and something else after them", () => {
  const back = (text: string) => isTakenBack(lastClaim(text)!, (tail) => /\d/.test(tail));
  assert(back("#### 2\nWait, it is 3"));
  assert(!back("#### 2\nWait for me"));
  assert(!back("#### 2\nIt has 3 parts"));
});
