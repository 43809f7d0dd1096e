import assert from "node:assert/strict";
import { LISTED } from "../../data/listed_train_steps.ts";
import { longRun } from "../steps/diagnoses/long_run.ts";
import { viewOf } from "../steps/diagnoses/synthetic.ts";

Deno.test("LISTED is where a finding's list of train steps is cut", () => {
  const view = viewOf(longRun({}));
  assert.equal(view.stepsFrom(0).length, LISTED);
  assert(view.records > LISTED);
});
