/** Steps are found with their rounds, their block and what stands before them. */
import assert from "node:assert/strict";
import { factsOf } from "../../../workflows/preflight/facts.ts";
import { STEPS } from "../../../steps/mod.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import { smallPlan, withFiles } from "./small_plans.ts";

Deno.test("factsOf() knows steps of a kind, what stands before a step, and how often it runs", () =>
  withFiles(async (folder) => {
    const facts = await factsOf(smallPlan({ evaluate: { split: "validation" } }, folder), null);
    const [update] = facts.each("apply_update");
    assert.deepEqual([update!.rounds, update!.block?.repeat, update!.params.max_grad_norm], [10, 10, 1]);
    assert.equal(facts.each("evaluate")[0]!.block, null);
    assert.equal(facts.before("sample_groups", update!.step)!.params.group_size, 8);
    assert.equal(facts.before("evaluate", update!.step), null);
    assert.equal(facts.each("fine_tune").length, 0);
  }));

Deno.test("factsOf() leaves out a step whose parameters are open until the run", () =>
  withFiles(async (folder) => {
    const open = { max_new_tokens: "${{ steps.load_prompts.outputs.max_new_tokens }}" };
    assert.equal((await factsOf(smallPlan({ sample: open }, folder), null)).each("sample_groups").length, 0);
  }));

Deno.test("factsOf() leaves out a step that parameters switch off, and knows the model of the one that is left", async () => {
  const text = `name: two
params: { model: made_here }
steps:
  - { uses: load_prompts, with: { task: addition, digits: 1 } }
  - { uses: load_model, if: "\${{ params.model == 'made_here' }}", with: { model: small_qwen2 } }
  - { uses: load_model, if: "\${{ params.model != 'made_here' }}", with: { model: "\${{ params.model }}" } }
`;
  for (const [params, model] of [[{}, "small_qwen2"], [{ model: "tiny_qwen2" }, "tiny_qwen2"]] as const) {
    const plan = planWorkflow(parseWorkflow(text, "two.yaml", { kinds: STEPS }), STEPS, { params });
    assert.equal((await factsOf(plan, null)).model?.loaded.params.model, model);
  }
});
