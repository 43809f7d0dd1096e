import assert from "node:assert/strict";
import { WorkflowDocument } from "../../../workflows/language/schema.ts";
import { siteAt, stepSites } from "../../../workflows/plan/sites.ts";

const { steps } = WorkflowDocument.parse({
  name: "a",
  steps: [
    { uses: "evaluate" },
    { repeat: 2, steps: [{ uses: "evaluate" }, { repeat: 3, steps: [{ id: "evaluate_2", uses: "x" }] }] },
    { uses: "evaluate", with: { a: ["${{ steps.evaluate.outputs.y }}"] } },
  ],
});

Deno.test("stepSites() names unnamed steps by their kind, around the names that are taken", () => {
  assert.deepEqual(stepSites(steps).map(({ id }) => id), ["evaluate", "evaluate_3", "evaluate_2", "evaluate_4"]);
});

Deno.test("stepSites() knows the blocks around a step and whether its parameters are open", () => {
  assert.deepEqual(stepSites(steps).map(({ blocks }) => blocks), [[], ["steps.1"], ["steps.1", "steps.1.steps.1"], []]);
  assert.deepEqual(stepSites(steps).map(({ open }) => open), [false, false, false, true]);
});

Deno.test("siteAt() finds the step again", () => {
  for (const site of stepSites(steps)) assert.equal(siteAt(steps, site.path), site.entry);
});
