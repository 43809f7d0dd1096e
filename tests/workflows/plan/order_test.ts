import assert from "node:assert/strict";
import { issuesOf } from "../language/issues_of.ts";
import { STEPS } from "../../../steps/mod.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import { planAll } from "../planned.ts";

const PROMPTS = "  - { uses: load_prompts, with: { task: addition } }\n";
const MODEL = "  - { uses: load_model }\n";
const SAMPLE = "  - { uses: sample_groups, with: { group_size: 4 } }\n";
const SCORE = "  - { uses: score_rewards, with: { rewards: [{ uses: x }] } }\n";

function issues(steps: string): string[] {
  return issuesOf(() => planAll(`name: a\nparams: { quick: false }\nsteps:\n${steps}`));
}

Deno.test("orderProblems() is silent when every table and resource is there", () => {
  assert.deepEqual(issues(PROMPTS + MODEL + SAMPLE + SCORE), []);
});

Deno.test("orderProblems() names a table that is read before it is written", () => {
  assert.deepEqual(issues(PROMPTS + MODEL + SCORE + SAMPLE), [
    '6:13 Cannot run step "score_rewards": it reads table "completions", which no earlier step writes; move step "sample_groups" before it',
  ]);
});

Deno.test("orderProblems() names a resource that nobody gives", () => {
  assert.deepEqual(issues(PROMPTS + SAMPLE), [
    '5:13 Cannot run step "sample_groups": it needs the policy, which no earlier step gives; add load_model before it',
  ]);
});

Deno.test("orderProblems() follows the order inside repeat: the first round has none before it", () => {
  const block = (steps: string) =>
    `${PROMPTS}${MODEL}  - repeat: 3\n    steps:\n${steps.replaceAll(/^/gm, "    ").trimEnd()}\n`;
  assert.deepEqual(issues(block(SAMPLE + SCORE)), []);
  assert.match(issues(block(SCORE + SAMPLE))[0]!, /^8:17 Cannot run step "score_rewards"/);
});

Deno.test("orderProblems() does not count a step whose condition is known to be false", () => {
  const prompts = (condition: string) => `  - { uses: load_prompts, with: { task: addition }, if: ${condition} }\n`;
  assert.match(issues(prompts("params.quick") + MODEL + SAMPLE)[0]!, /reads table "prompts"/);
  assert.deepEqual(issues(prompts("params.quick == false") + MODEL + SAMPLE), []);
  assert.deepEqual(issues(prompts("run.train_step == 0") + MODEL + SAMPLE), []);
  // A step that never runs needs nothing.
  assert.deepEqual(issues("  - { uses: sample_groups, with: { group_size: 4 }, if: params.quick }\n"), []);
});

Deno.test("orderProblems() takes the last step of a kind for what a step's columns depend on", () => {
  const plan = (...references: string[]) =>
    issuesOf(() =>
      planWorkflow(
        parseWorkflow(
          [
            "name: a\nsteps:",
            "  - { uses: load_prompts, with: { task: addition } }",
            ...references.map((reference, i) =>
              `  - { id: m${i}, uses: load_model, with: { model: tiny_qwen2, reference: ${reference} } }`
            ),
            "  - { uses: sample_groups, with: { prompts_per_step: 2, group_size: 2, max_new_tokens: 4 } }",
            "  - { uses: score_rewards, with: { rewards: [{ uses: verifier }] } }",
            "  - { uses: compute_advantages }",
            "  - { uses: apply_update, with: { learning_rate: 0.001, kl_coef: 0.1 } }\n",
          ].join("\n"),
          "order.yaml",
          { kinds: STEPS },
        ),
        STEPS,
      )
    );
  assert.deepEqual(plan("none", "copy"), []);
  assert.match(plan("copy", "none")[0]!, /ref_logprobs/);
});
