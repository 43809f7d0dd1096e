/** The measured rates of false alarms: each rule has one, and its bound is that of the binomial. */
import assert from "node:assert/strict";
import { page } from "../../../../steps/diagnoses/explain.ts";
import { DECISION_ORDER } from "../../../../steps/diagnoses/decide.ts";
import { FALSE_ALARMS, falseAlarmText, upperBound } from "../../../../steps/diagnoses/differential/false_alarms.ts";

Deno.test("each rule has its measured rate, on its page too", () => {
  assert.deepEqual(Object.keys(FALSE_ALARMS), [...DECISION_ORDER]);
  for (const cause of DECISION_ORDER) assert(page(cause).includes(falseAlarmText(cause)), cause);
});

Deno.test("no rule alarms on more than one healthy run in a hundred", () => {
  for (const [cause, counts] of Object.entries(FALSE_ALARMS)) {
    counts.forEach(([fired, runs]) => assert(fired <= 0.01 * runs, `${cause} ${fired} of ${runs}`));
  }
});

Deno.test("upperBound() is that of Clopper and Pearson", () => {
  // Of none: 1 - 0.05^(1/n). Of 1 in 10 (tables): 0.394. Of all: 1.
  assert(Math.abs(upperBound(0, 24) - (1 - 0.05 ** (1 / 24))) < 1e-9);
  assert(Math.abs(upperBound(1, 10) - 0.39416) < 1e-5, String(upperBound(1, 10)));
  assert.equal(upperBound(5, 5), 1);
  assert(upperBound(3, 2400) > 3 / 2400 && upperBound(3, 2400) < 0.0035);
});
