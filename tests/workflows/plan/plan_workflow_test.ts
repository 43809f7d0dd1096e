import assert from "node:assert/strict";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { answerParams, planRuns } from "../../../workflows/plan/plan_workflow.ts";
import { issuesOf } from "../language/issues_of.ts";
import { planAll, planOne, stepOf, withSteps } from "../planned.ts";
import { GOOD, SMALL_KINDS } from "../small_kinds.ts";

Deno.test("planWorkflow() validates parameters, fills in defaults and answers params", () => {
  const plan = planOne(GOOD);
  assert.deepEqual(stepOf(plan, "load_prompts").params, { task: "addition", digits: 2 });
  assert.deepEqual(stepOf(plan, "sample_groups").params, { group_size: 4, temperature: 1, stop: [] });
  assert.deepEqual(stepOf(plan, "sample_groups").position, { line: 9, column: 9 });
  assert.equal(stepOf(plan, "during").every, 2);
  assert.deepEqual(stepOf(plan, "report").condition, { kind: "always" });
  const block = plan.steps[2]!;
  assert(block.type === "repeat");
  assert.equal(block.repeat, 6);
  assert.equal(block.until?.kind, "comparison");
  assert.equal(plan.folder, "/data");
  assert.equal(plan.file, "small.yaml");
});

Deno.test("planWorkflow() reads the settings and lets the command line win", () => {
  const text = withSteps("", "seed: 7\ndevice: cpu\nthreads: 2\ncheckpoint: { every: 5, best: metrics.reward }\n");
  assert.deepEqual(planOne(text, { settings: { device: "cuda", backend: "napi" } }).settings, {
    seed: 7,
    device: "cuda",
    backend: "napi",
    threads: 2,
    deterministic: false,
    checkpoint: { every: 5, keep: 2, best: "metrics.reward" },
    keepCompletions: "all",
    concurrencyGroup: null,
    repair: "suggest",
    faults: [],
  });
});

Deno.test("planWorkflow() applies overrides everywhere they are looked up", () => {
  const plan = planOne(GOOD, { params: { rounds: "9", size: "16" } });
  assert.equal((plan.steps[2] as { repeat: number }).repeat, 9);
  assert.equal((stepOf(plan, "sample_groups").params as { group_size: number }).group_size, 16);
  assert.deepEqual(plan.document.params.rounds, 9);
});

Deno.test("planWorkflow() says what a step kind's own check says, at the parameter it names", () => {
  assert.deepEqual(issuesOf(() => planOne(GOOD, { params: { size: "1" } })), [
    '11:23 "group_size" is 1, want at least 2',
  ]);
});

Deno.test("planWorkflow() checks types after substitution", () => {
  const text = withSteps("  - { uses: sample_groups, with: { group_size: '${{ params.word }}' } }\n");
  assert.deepEqual(issuesOf(() => planOne(text)), ['6:48 "group_size" is "hello", want a number']);
});

Deno.test("planWorkflow() reports problems of different kinds together", () => {
  const text = withSteps(`  - { uses: sample_groups, with: { group_sise: 4 }, every: 2 }
  - { id: a, uses: evaluate, with: { split: "\${{ params.wrod }}" } }
  - { id: a, uses: evaluate, cache: true }
  - { uses: evalute }
`);
  assert.deepEqual(
    issuesOf(() => planOne(text)).map((issue) => issue.replace(/;? ?(known:|Known|step kinds).*/, "…")),
    [
      '6:36 unknown key "group_sise"; did you mean "group_size"?…',
      '6:53 "every" counts rounds; it has a meaning inside "repeat" only',
      '7:50 unknown parameter "wrod"; did you mean "word"?…',
      '8:11 id "a" is already taken by an earlier step',
      '8:37 Cannot cache "evaluate": its rows depend on more than parameters and tables…',
      '9:13 unknown step kind "evalute"; did you mean "evaluate"?…',
    ],
  );
});

Deno.test("planWorkflow() leaves parameters open that only the run can answer, but checks the others", () => {
  const open =
    "  - { id: before, uses: evaluate }\n  - { uses: sample_groups, with: { group_size: 4, temperature: '${{ steps.before.outputs.sampled }}' } }\n";
  const plan = planOne(withSteps(open));
  const step = stepOf(plan, "sample_groups");
  assert.equal(step.params, null);
  assert.deepEqual(answerParams(plan, step, { steps: { before: { sampled: 0.5 } } }), {
    group_size: 4,
    temperature: 0.5,
    stop: [],
  });
  assert.deepEqual(issuesOf(() => answerParams(plan, step, { steps: { before: { sampled: -1 } } })), [
    '7:64 "temperature" is -1, want at least 0',
  ]);
  assert.deepEqual(issuesOf(() => planOne(withSteps(open.replace("group_size: 4", "group_size: x")))), [
    '7:48 "group_size" is "x", want a number',
  ]);
});

Deno.test("answerParams() refuses a step that has not run", () => {
  const text = withSteps(
    "  - { id: before, uses: evaluate, if: params.quick == false }\n  - { uses: load_model, with: { model: '${{ steps.before.outputs.mode }}' } }\n  - { uses: sample_groups, with: { group_size: 2, temperature: '${{ steps.before.outputs.sampled }}' } }\n",
  );
  const plan = planOne(text);
  assert.match(
    issuesOf(() => answerParams(plan, stepOf(plan, "sample_groups"), {}))[0]!,
    /^8:69 .*"steps.before.outputs.sampled" has no value: the step has not run/,
  );
  assert.match(issuesOf(() => answerParams(plan, stepOf(plan, "load_model_2"), {}))[0]!, /has no value/);
});

Deno.test("answerParams() returns what the plan already knows", () => {
  const plan = planOne(GOOD);
  assert.equal(answerParams(plan, stepOf(plan, "load_prompts"), {}), stepOf(plan, "load_prompts").params);
});

Deno.test("planRuns() gives one plan per combination, each with its own values", () => {
  const text = withSteps(
    "  - { uses: sample_groups, with: { group_size: '${{ matrix.size }}' }, if: matrix.size > 2 }\n",
    "seed: ${{ matrix.seed }}\nstrategy: { matrix: { seed: [1, 2], size: [2, 4] } }\n",
  );
  const plans = planAll(text);
  assert.deepEqual(
    plans.map((
      plan,
    ) => [plan.settings.seed, (stepOf(plan, "sample_groups").params as { group_size: number }).group_size]),
    [[1, 2], [1, 4], [2, 2], [2, 4]],
  );
  assert.deepEqual(
    plans.map((plan) => stepOf(plan, "sample_groups").condition),
    [false, true, false, true].map((value) => ({ kind: "constant", value })),
  );
  assert.equal(plans[0]!.document.strategy, undefined);
});

Deno.test("planRuns() says in which run of the matrix a problem arises", () => {
  const text = withSteps(
    "  - { uses: sample_groups, with: { group_size: '${{ matrix.size }}' } }\n",
    "strategy: { matrix: { size: [4, 1] } }\n",
  );
  assert.deepEqual(issuesOf(() => planAll(text)), ['7:48 "group_size" is 1, want at least 2 (in the run with size 1)']);
});

Deno.test("planWorkflow() checks the faults it is to inject", () => {
  const text = withSteps("", "faults: [{ kind: nan_weight, from: 3 }, { kind: nun }]\n");
  assert.match(issuesOf(() => planOne(text)).join("\n"), /^3:49 unknown fault "nun"/);
  const known = withSteps("", "faults: [{ kind: nan_weight, from: 3 }]\n");
  assert.equal(planOne(known).settings.faults.length, 1);
});

Deno.test("planWorkflow() and answerParams() read a step's parameters once, and again where a look-up changed them", () => {
  let reads = 0;
  const params = SMALL_KINDS.load_model.params.transform((read) => (reads++, read));
  const kinds = { ...SMALL_KINDS, load_model: { ...SMALL_KINDS.load_model, params } };
  for (const [model, want] of [["small", 1], ["${{ params.word }}", 2], ["${{ run.id }}", 2]] as const) {
    reads = 0;
    const text = `name: a\nparams: { word: hello }\nsteps:\n  - { uses: load_model, with: { model: "${model}" } }\n`;
    const plan = planRuns(parseWorkflow(text, "a.yaml", { folder: "/" }), kinds)[0]!;
    const scope = { run: { id: "r", seed: 1, train_step: 0 } };
    answerParams(plan, stepOf(plan, "load_model"), scope);
    assert.equal(reads, want, model);
  }
});
