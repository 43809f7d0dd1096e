import assert from "node:assert/strict";
import { asPrinted, placeOf } from "../../../../steps/diagnoses/view/evidence.ts";

Deno.test("placeOf() says the table of a run of ours, or file and line of a log, and no more", () => {
  assert.deepEqual(placeOf({ source: "log.txt", line: 3, printed: "train/loss" }), { source: "log.txt", line: 3 });
  const own = { table: "metrics", source: null, line: null } as const;
  assert.deepEqual(placeOf(own), own);
  assert.deepEqual(placeOf(null), { source: null, line: null });
});

Deno.test("asPrinted() takes back the factor by which a value was read", () => {
  const place = { source: "log.txt", line: 4, printed: "timing_s/step", factor: 1000 };
  assert.equal(asPrinted(50.0579 * 1000, place), 50.0579);
  assert.equal(asPrinted(0.1211, { ...place, factor: 0.01 }), 12.11);
  assert.equal(asPrinted(null, place), null);
  assert(Number.isNaN(asPrinted(NaN, place)));
  assert.equal(asPrinted(0.3, { source: "log.txt", line: 4 }), 0.3);
  assert.equal(asPrinted(0.3, null), 0.3);
});
