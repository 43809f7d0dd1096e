import assert from "node:assert/strict";
import { WorkflowDocument } from "../../../workflows/language/schema.ts";
import { SMALL_KINDS } from "../small_kinds.ts";
import { siteAt, siteProblems, stepSites } from "../../../workflows/plan/sites.ts";

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

Deno.test("stepSites() knows the blocks around a step", () => {
  assert.deepEqual(stepSites(steps).map(({ blocks }) => blocks), [[], ["steps.1"], ["steps.1", "steps.1.steps.1"], []]);
});

Deno.test("siteProblems() names unknown kinds, and keys without a meaning, at their place", () => {
  const { steps } = WorkflowDocument.parse({
    name: "a",
    steps: [{ id: "b", uses: "load_prompts", every: 2 }, { id: "b", uses: "load_model", cache: true }, { uses: "x" }],
  });
  assert.deepEqual(siteProblems(stepSites(steps), SMALL_KINDS).map(({ path, message }) => [path.join("."), message]), [
    ["steps.0.every", '"every" counts rounds; it has a meaning inside "repeat" only'],
    ["steps.1.id", 'id "b" is already taken by an earlier step'],
    [
      "steps.1.cache",
      'Cannot cache "load_model": its rows depend on more than parameters and tables; step kinds that can: load_prompts',
    ],
    ["steps.2.uses", `unknown step kind "x"; known: ${Object.keys(SMALL_KINDS).join(", ")}`],
  ]);
});

Deno.test("siteAt() finds the step again", () => {
  for (const site of stepSites(steps)) assert.equal(siteAt(steps, site.path), site.entry);
});
