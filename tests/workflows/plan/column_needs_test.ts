/** With the real step kinds: what `check` says of a workflow that lacks a step. */
import assert from "node:assert/strict";
import { STEPS } from "../../../steps/mod.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planRuns } from "../../../workflows/plan/plan_workflow.ts";
import { issuesOf } from "../language/issues_of.ts";

const SAMPLE = "      - { uses: sample_groups, with: { prompts_per_step: 4, max_new_tokens: 4 } }";
const SCORE = "      - { uses: score_rewards, with: { rewards: [{ uses: verifier }] } }";
const ADVANTAGES = "      - { uses: compute_advantages }";
const UPDATE = "      - { uses: apply_update, with: { learning_rate: 0.001 } }";
const GRPO = [SAMPLE, SCORE, ADVANTAGES, UPDATE];

function issues(block: readonly string[], model = "model: tiny_qwen2", after = ""): string[] {
  const text = `name: a
params: { beta: 0.1 }
steps:
  - { uses: load_prompts, with: { task: addition } }
  - { uses: load_model, with: { ${model} } }
  - repeat: 3
    steps:
${block.join("\n")}
${after}`;
  return issuesOf(() => planRuns(parseWorkflow(text, "a.yaml", { kinds: STEPS, folder: "/data" }), STEPS));
}

const with_ = (step: string, params: string) =>
  step.includes("with: {") ? step.replace(" } }", `, ${params} } }`) : step.replace(" }", `, with: { ${params} } }`);

Deno.test("missingColumns() is silent when every column is there", () => {
  assert.deepEqual(issues(GRPO), []);
  assert.deepEqual(issues([...GRPO, "      - { uses: diagnose }"]), []);
});

Deno.test("missingColumns() names the step that an estimator needs, by itself or by its preset", () => {
  const answer = (given: string, more: string[] = []) =>
    issues([SAMPLE, ...more, SCORE, with_(ADVANTAGES, given), UPDATE])[0]?.replace(/^\d+:\d+ Cannot run step /, "");
  assert.equal(
    answer("estimator: gae"),
    '"compute_advantages": with estimator "gae" it reads completions.values, which no earlier step writes; add compute_values before it',
  );
  assert.equal(
    answer("preset: verl/gae"),
    '"compute_advantages": with preset "verl/gae" it reads completions.values, which no earlier step writes; add compute_values before it',
  );
  assert.match(answer("estimator: remax")!, /with estimator "remax" it reads completions.greedy_reward, which/);
  assert.match(
    answer("estimator: optimal_token_baseline")!,
    /completions.log_sum_squares, which no earlier step writes; add measure_tokens before it/,
  );
  assert.equal(answer("estimator: remax", ["      - { uses: sample_greedy }"]), undefined);
  assert.equal(answer("estimator: optimal_token_baseline", ["      - { uses: measure_tokens }"]), undefined);
});

Deno.test("missingColumns() names the missing step, whichever it is", () => {
  assert.deepEqual(issues([SAMPLE, SCORE, UPDATE]), [
    '10:17 Cannot run step "apply_update": it reads completions.advantage, which no earlier step writes; add compute_advantages before it',
  ]);
  assert.deepEqual(issues([SAMPLE, ADVANTAGES, UPDATE]), [
    '9:17 Cannot run step "compute_advantages": it reads completions.reward, which no earlier step writes; add score_rewards before it',
  ]);
  assert.deepEqual(issues([SAMPLE, UPDATE]), [
    '9:17 Cannot run step "apply_update": it reads completions.advantage, which no earlier step writes; add score_rewards and compute_advantages before it',
  ]);
});

Deno.test("missingColumns() says which step to move", () => {
  assert.deepEqual(issues([SAMPLE, SCORE, UPDATE, ADVANTAGES]), [
    '10:17 Cannot run step "apply_update": it reads completions.advantage, which no earlier step writes; move step "compute_advantages" before it',
  ]);
});

Deno.test("missingColumns() reads conditional columns: KL in the reward or the loss needs a reference", () => {
  for (const reference of ["copy", "some/folder"]) {
    const model = `model: tiny_qwen2, reference: ${reference}`;
    assert.deepEqual(issues([SAMPLE, SCORE, with_(ADVANTAGES, "kl_coef: 0.1"), UPDATE], model), []);
    assert.deepEqual(issues([SAMPLE, SCORE, ADVANTAGES, with_(UPDATE, "kl_coef: 0.1")], model), []);
  }
  assert.deepEqual(issues([SAMPLE, SCORE, with_(ADVANTAGES, "kl_coef: 0.1"), UPDATE]), [
    '10:54 Cannot run step "compute_advantages": with kl_coef 0.1 it reads completions.old_logprobs and completions.ref_logprobs, which "sample_groups" writes only with a reference; set reference of load_model to copy or a folder',
  ]);
  assert.deepEqual(issues([SAMPLE, SCORE, ADVANTAGES, with_(UPDATE, 'kl_coef: "${{ params.beta }}"')]), [
    '11:70 Cannot run step "apply_update": with kl_coef 0.1 it reads completions.ref_logprobs, which "sample_groups" writes only with a reference; set reference of load_model to copy or a folder',
  ]);
  assert.deepEqual(issues([SAMPLE, SCORE, ADVANTAGES, with_(UPDATE, "kl_coef: 0")]), []);
});

Deno.test("missingColumns() leaves what is known only during the run to the run", () => {
  assert.deepEqual(issues([SAMPLE, SCORE, ADVANTAGES, with_(UPDATE, 'kl_coef: "${{ run.train_step }}"')]), []);
});

Deno.test("missingColumns() knows that sampling anew begins new rows", () => {
  assert.match(
    issues([SAMPLE, SCORE, ADVANTAGES, SAMPLE, UPDATE])[0]!,
    /"apply_update": it reads completions.advantage, which no earlier step of this round writes; add compute_advantages/,
  );
});

Deno.test("missingColumns() knows that each round is a train step of its own", () => {
  const next = "  - repeat: 2\n    steps:\n      - { uses: apply_update, with: { learning_rate: 0.001 } }\n";
  assert.match(
    issues(GRPO, undefined, next)[0]!,
    /"apply_update_2": it reads completions.prompt_id, completions.sample, completions.prompt and 5 others, which no earlier step of this round writes; add sample_groups/,
  );
  // After the block the rows of its last train step are still there.
  assert.deepEqual(
    issues([SAMPLE, SCORE, ADVANTAGES], undefined, "  - { uses: apply_update, with: { learning_rate: 0.001 } }\n"),
    [],
  );
});

Deno.test("missingColumns() compares how often steps run", () => {
  const every = (step: string, n: number) => step.replace(/ }$/, `, every: ${n} }`);
  assert.deepEqual(issues([SAMPLE, SCORE, every(ADVANTAGES, 2), UPDATE]), [
    '11:17 Cannot run step "apply_update": it reads completions.advantage, which "compute_advantages" writes only in every 2 rounds; give both steps the same "every"',
  ]);
  assert.deepEqual(issues([SAMPLE, SCORE, every(ADVANTAGES, 2), every(UPDATE, 4)]), []);
});
