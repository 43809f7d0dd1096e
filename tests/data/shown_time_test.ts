import assert from "node:assert/strict";
import { shownTime } from "../../data/shown_time.ts";

Deno.test("shownTime() gives a column of times its unit, from a second on in seconds", () => {
  assert.equal(shownTime("step_ms", 226000), "226 s");
  assert.equal(shownTime("step_ms", 48650), "48.6 s");
  assert.equal(shownTime("score_ms", 540.25), "540 ms");
  assert.equal(shownTime("update_ms", 8.25), "8.25 ms");
});

Deno.test("shownTime() is null of other columns, and of what is no time", () => {
  assert.equal(shownTime("reward", 2000), null);
  assert.equal(shownTime("timing_s/step", 50.1), null);
  assert.equal(shownTime("step_ms", NaN), null);
  assert.equal(shownTime("step_ms", null), null);
});
