import assert from "node:assert/strict";
import { pattern } from "../../../../steps/rewards/text/pattern.ts";

Deno.test("pattern() takes what compiles with its flags and nothing else", () => {
  assert.equal(pattern("s").parse("^a.b$"), "^a.b$");
  assert(!pattern("").safeParse("[").success);
  assert(!pattern("").safeParse("").success);
  assert(pattern("").safeParse("\\p{Lx}").success && !pattern("u").safeParse("\\p{Lx}").success);
});
