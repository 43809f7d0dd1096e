import assert from "node:assert/strict";
import { z } from "zod";
import { outputsOf } from "../../../workflows/plan/outputs.ts";
import { SMALL_KINDS } from "../small_kinds.ts";

Deno.test("outputsOf() knows names and types, and whether there may be others", () => {
  const { types, open } = outputsOf(SMALL_KINDS.evaluate);
  assert.deepEqual([...types].map(([name, set]) => [name, [...set!]]), [["sampled", ["number"]], ["solved", [
    "boolean",
  ]], ["mode", ["string"]]]);
  assert.equal(open, false);
  assert.equal(outputsOf({ ...SMALL_KINDS.evaluate, outputs: z.record(z.string(), z.number()) }).open, true);
  const integer = outputsOf({ ...SMALL_KINDS.evaluate, outputs: z.object({ a: z.int().nullable() }) });
  assert.equal(integer.open, false);
  assert.deepEqual([...integer.types.get("a")!], ["number"]);
});
