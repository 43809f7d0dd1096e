import assert from "node:assert/strict";
import { z } from "zod";
import { DRAWN_PROMPTS, lengthsInOrder } from "../../../../data/tasks/rows/drawn_params.ts";

Deno.test("DRAWN_PROMPTS is a count from 1, and lengthsInOrder() refuses a shortest above the longest", () => {
  assert.deepEqual([DRAWN_PROMPTS.parse(undefined), DRAWN_PROMPTS.safeParse(0).success], [10_000, false]);
  const lengths = lengthsInOrder(z.object({ min_length: z.int(), max_length: z.int() }));
  assert(lengths.safeParse({ min_length: 2, max_length: 2 }).success);
  const [issue] = lengths.safeParse({ min_length: 3, max_length: 2 }).error!.issues;
  assert.deepEqual([issue!.path, issue!.message], [["min_length"], "min_length is above max_length"]);
});
