import assert from "node:assert/strict";
import { STEPS } from "../../../../steps/mod.ts";
import { workflowText } from "../../../../workflows/cli/scaffold/workflow_text.ts";
import { parseWorkflow } from "../../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../../workflows/plan/plan_workflow.ts";
import { preflight } from "../../../../workflows/preflight/preflight.ts";

Deno.test("workflowText() is a workflow that can be planned and in which preflight finds no error", async () => {
  for (const inLibrary of [true, false]) {
    const text = workflowText("mine", "addition", inLibrary);
    assert.equal(text.startsWith("# yaml-language-server"), inLibrary);
    const plan = planWorkflow(parseWorkflow(text, "mine.yaml", { kinds: STEPS }), STEPS);
    assert.equal(plan.name, "mine");
    assert.deepEqual((await preflight(plan)).filter(({ severity }) => severity !== "info"), []);
  }
});
