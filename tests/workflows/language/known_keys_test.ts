import assert from "node:assert/strict";
import { z } from "zod";
import { isOwn, knownKeys, knownValues, valueAt } from "../../../workflows/language/known_keys.ts";

const SCHEMA = z.strictObject({
  rewards: z.array(z.discriminatedUnion("uses", [
    z.strictObject({ uses: z.literal("format"), pattern: z.string() }),
    z.strictObject({ uses: z.literal("length"), limit: z.int() }),
  ])),
  pair: z.strictObject({ low: z.number(), high: z.number() }),
});

Deno.test("knownKeys() follows the branch that the value's own keys point to", () => {
  assert.deepEqual(knownKeys(SCHEMA, { rewards: [{ uses: "length" }] }, ["rewards", 0]), ["uses", "limit"]);
  assert.deepEqual(knownKeys(SCHEMA, {}, ["pair"]), ["low", "high"]);
});

Deno.test("knownValues() lists the names of all alternatives", () => {
  assert.deepEqual(knownValues(SCHEMA, { rewards: [{ uses: "x" }] }, ["rewards", 0, "uses"]), ["format", "length"]);
});

Deno.test("valueAt() and isOwn() see own keys only", () => {
  assert.equal(valueAt({ a: [{ b: 1 }] }, ["a", 0, "b"]), 1);
  assert.equal(valueAt({}, ["toString"]), undefined);
  assert.deepEqual([isOwn({ a: undefined }, "a"), isOwn(null, "a")], [true, false]);
});
