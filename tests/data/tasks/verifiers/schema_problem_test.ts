import assert from "node:assert/strict";
import { longestString, schemaProblem } from "../../../../data/tasks/verifiers/schema_problem.ts";

Deno.test("schemaProblem() names the place of a word that means nothing", () => {
  assert.equal(schemaProblem({ type: ["string", "null"], title: "x", anyOf: [{ minimum: 1 }, true] }), null);
  assert.match(schemaProblem({ anyOf: [{}, { typ: "x" }] })!, /^it\.anyOf\.1 has the unknown word "typ"/);
  assert.match(schemaProblem({ items: 3 })!, /^it\.items is 3/);
  assert.match(schemaProblem({ properties: [] })!, /no object of schemas/);
});

Deno.test("longestString() is that of the slowest pattern", () => {
  assert.equal(longestString({ type: "string" }), Infinity);
  assert.equal(longestString({ anyOf: [{ pattern: "a+" }, { patternProperties: { "a+b+": true } }] }), 215);
});
