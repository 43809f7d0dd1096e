import assert from "node:assert/strict";
import { placeOf } from "../../../../steps/diagnoses/view/evidence.ts";

Deno.test("placeOf() says the table of a run of ours, or file and line of a log, and no more", () => {
  assert.deepEqual(placeOf({ source: "log.txt", line: 3, printed: "train/loss" }), { source: "log.txt", line: 3 });
  const own = { table: "metrics", source: null, line: null } as const;
  assert.deepEqual(placeOf(own), own);
  assert.deepEqual(placeOf(null), { source: null, line: null });
});
