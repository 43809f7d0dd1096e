import assert from "node:assert/strict";
import { PLAIN_VERIFIERS } from "../../../../data/tasks/verifiers/mod.ts";
import { defineVerifier, type Verifier } from "../../../../data/tasks/verifiers/verifier.ts";

Deno.test("every verifier judges by itself or has a program, and says what it is about", () => {
  for (const [name, verifier] of Object.entries(PLAIN_VERIFIERS) as [string, Verifier][]) {
    assert.equal(defineVerifier(verifier), verifier);
    assert.equal(Number("verify" in verifier) + Number("program" in verifier), 1, name);
    assert(verifier.about.length > 10, name);
    assert(verifier.params.safeParse({}).success, `${name} has defaults`);
  }
});
