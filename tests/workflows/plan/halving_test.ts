import assert from "node:assert/strict";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { WorkflowError } from "../../../workflows/language/problems.ts";
import { going, planHalving, scheduleOf, seedAxes } from "../../../workflows/plan/halving.ts";
import { planRuns } from "../../../workflows/plan/plan_workflow.ts";
import { STEPS } from "../../../steps/mod.ts";
import { fakeKinds } from "../engine/fake_steps.ts";

const HALVING = "{ metric: metrics.loss, mode: min, first: 2, factor: 2 }";
const STEP_LIST = `  - uses: load_prompts
  - uses: load_model
  - repeat: 20
    steps:
      - uses: sample_groups
      - uses: apply_update
        with: { rate: "\${{ matrix.rate }}" }
`;

function workflow({ halving = HALVING, seeds = "[1, 2]", seed = "${{ matrix.seed }}", steps = STEP_LIST } = {}) {
  return `name: sweep
seed: ${seed}
strategy:
  matrix: { rate: [0.1, 0.2, 0.3, 0.4, 0.5], seed: ${seeds} }
  halving: ${halving}
steps:
${steps}`;
}

function load(text: string) {
  return parseWorkflow(text, "sweep.yaml", { folder: Deno.cwd() });
}

function planned(text: string) {
  const loaded = load(text);
  return planHalving(loaded.document, planRuns(loaded, fakeKinds({ log: [] })))!;
}

function refusal(text: string): string {
  try {
    planned(text);
  } catch (error) {
    if (error instanceof WorkflowError) return error.message;
    throw error;
  }
  throw new Error("the workflow was accepted");
}

Deno.test("planHalving() puts rungs at first, first x factor, … below the end, while there is more than one combination", () => {
  const { rungs, sizes, groups, trainSteps } = planned(workflow());
  assert.deepEqual(rungs, [2, 4, 8]);
  assert.deepEqual(sizes, [5, 3, 2, 1]);
  assert.deepEqual(groups, [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]);
  // Two seeds each: 5 x 2 up to 2, 3 x 2 up to 4, 2 x 4 up to 8, 1 x 12 to the end.
  assert.deepEqual(trainSteps, { all: 200, halved: 2 * (5 * 2 + 3 * 2 + 2 * 4 + 1 * 12) });
});

Deno.test("planHalving() has no rung at the end of the runs: nothing is saved there", () => {
  assert.deepEqual(planned(workflow({ halving: "{ metric: metrics.loss, first: 10, factor: 2 }" })).rungs, [10]);
  assert.deepEqual(planned(workflow({ halving: "{ metric: metrics.loss, first: 19, factor: 2 }" })).rungs, [19]);
  assert.match(
    refusal(workflow({ halving: "{ metric: metrics.loss, first: 20 }" })),
    /^sweep\.yaml:5:43: "first" is 20, want less than the 20 train steps of the run with rate=0\.1 seed=1$/m,
  );
});

Deno.test("going() is the best 1/factor, rounded up", () => {
  assert.deepEqual([[8, 2], [3, 2], [2, 2], [9, 3], [10, 3], [2, 5]].map(([n, f]) => going(n!, f!)), [
    4,
    2,
    1,
    3,
    4,
    1,
  ]);
});

Deno.test("seedAxes() are those that the seed alone looks up", () => {
  assert.deepEqual(seedAxes(load(workflow()).document), ["seed"]);
  assert.deepEqual(seedAxes(load(workflow({ seed: "3" })).document), []);
  const both = STEP_LIST.replace(
    "- uses: load_prompts",
    '- { uses: load_prompts, with: { count: "${{ matrix.seed }}" } }',
  );
  assert.deepEqual(seedAxes(load(workflow({ steps: both })).document), []);
  const condition = STEP_LIST.replace("- uses: load_prompts", "- { uses: load_prompts, if: matrix.seed == 1 }");
  assert.deepEqual(seedAxes(load(workflow({ steps: condition })).document), []);
});

Deno.test("scheduleOf() counts rounds and updates of steps that train by themselves, and when each step runs first", () => {
  const steps = `  - uses: load_prompts
  - uses: load_model
  - { uses: fine_tune, with: { updates: 6 } }
  - repeat: 3
    steps:
      - repeat: 4
        steps:
          - uses: sample_groups
          - { uses: evaluate, every: 3 }
          - { uses: apply_update, with: { rate: "\${{ matrix.rate }}" } }
`;
  const loaded = load(workflow({ steps, halving: "{ metric: evaluations.sampled, first: 9 }" }));
  const [plan] = planRuns(loaded, fakeKinds({ log: [] }));
  const { trainSteps, writers } = scheduleOf(plan!.steps);
  assert.equal(trainSteps, 6 + 3 * 4);
  assert.deepEqual(writers.map(({ step, from }) => [step.uses, from]), [
    ["fine_tune", 1],
    ["sample_groups", 7],
    ["evaluate", 9],
    ["apply_update", 7],
  ]);
  assert.match(
    refusal(workflow({ steps, halving: "{ metric: evaluations.sampled, first: 8 }" })),
    /^sweep\.yaml:5:50: "first" is 8, want at least 9: before that no step writes evaluations\.sampled$/m,
  );
});

Deno.test("strategy.halving that cannot work is refused where it stands", () => {
  for (
    const [change, message] of [
      [
        { halving: "{ metric: loss, first: 2 }" },
        /^sweep\.yaml:5:22: "metric" is "loss", want evaluations\.MODE \(sampled, greedy\) or metrics\.COLUMN$/m,
      ],
      [
        { halving: "{ metric: metrics.los, first: 2 }" },
        /^sweep\.yaml:5:22: unknown "los" of metrics; did you mean "loss"\?/m,
      ],
      [
        { halving: "{ metric: evaluations.sampled, first: 2 }" },
        /:5:22: "metric" is "evaluations\.sampled", which no step writes in a train step; want /,
      ],
      [{ halving: "{ metric: metrics.loss, first: 0 }" }, /^sweep\.yaml:5:43: /m],
      [{ halving: "{ metric: metrics.loss, first: 2, factor: 1 }" }, /^sweep\.yaml:5:54: /m],
      [{ halving: "{ metric: metrics.loss, first: 2, mode: most }" }, /^sweep\.yaml:5:52: /m],
      [{ halving: "{ metric: metrics.loss }" }, /missing key "first"/],
      [
        { steps: "  - uses: load_prompts\n" },
        /^sweep\.yaml:5:3: "halving" has no train steps to save: no step trains$/m,
      ],
    ] as const
  ) assert.match(refusal(workflow(change)), message);
  const alone = workflow().replace("rate: [0.1, 0.2, 0.3, 0.4, 0.5]", "rate: [0.1]");
  assert.match(refusal(alone), /:5:3: "halving" has nothing to compare: the matrix has one combination beside seeds/);
  assert.match(
    refusal(workflow().replace("seed: $", "repair: apply\nseed: $")),
    /^sweep\.yaml:2:9: "repair" is "apply", want off or suggest with strategy\.halving/m,
  );
});

/** A workflow of the library's steps; METRIC and WARM are put in. */
const REAL = `name: real
strategy:
  matrix: { learning_rate: [1.0e-4, 2.0e-4] }
  halving: { metric: METRIC, first: 7 }
steps:
  - { uses: load_prompts, with: { task: addition, digits: 1 } }
  - { uses: load_model, with: { model: tiny_qwen2 } }
WARM
  - repeat: 8
    steps:
      - { uses: sample_groups, with: { prompts_per_step: 8, group_size: 4, max_new_tokens: 4 } }
      - { uses: score_rewards, with: { rewards: [{ uses: verifier }] } }
      - { uses: compute_advantages }
      - { uses: apply_update, with: { learning_rate: "\${{ matrix.learning_rate }}" } }
      - { uses: evaluate, every: 2, with: { modes: [greedy] } }
`;

Deno.test("a metric of the library's steps is known with what it asks for", () => {
  const text = (metric: string, more = "") =>
    REAL.replace("METRIC", metric).replace("WARM\n", "").replace("tiny_qwen2", `tiny_qwen2${more}`).replace(
      "first: 7",
      "first: 2",
    );
  const rungs = (metric: string, more = "") => {
    const loaded = load(text(metric, more));
    return planHalving(loaded.document, planRuns(loaded, STEPS))!.rungs;
  };
  assert.deepEqual(rungs("metrics.reward"), [2]);
  assert.deepEqual(rungs("evaluations.greedy"), [2]);
  assert.throws(
    () => rungs("evaluations.sampled"),
    /"evaluations\.sampled", which no step writes in a train step; want one of evaluations\.greedy, metrics\.reward, metrics\.accuracy, metrics\.loss, metrics\.entropy and \d\d more columns of metrics$/m,
  );
  assert.throws(() => rungs("metrics.chosen_reward"), /which no step writes|unknown "chosen_reward"/);
  assert.throws(
    () => rungs("metrics.kl"),
    /:4:22: "metric" is "metrics\.kl", which no step writes in a train step; want one of evaluations\.greedy, metrics\.reward, /,
  );
  assert.deepEqual(rungs("metrics.kl", ", reference: copy"), [2]);
});

Deno.test("a warm start that may end early is refused where a metric comes after it; one of a fixed length counts", () => {
  const warm = (more: string) => `  - { uses: fine_tune, with: { max_updates: 5${more} } }\n`;
  const rungs = (metric: string, more = "") => {
    const text = REAL.replace("METRIC", metric).replace("WARM\n", warm(more)), loaded = load(text);
    return planHalving(loaded.document, planRuns(loaded, STEPS))!.rungs;
  };
  assert.deepEqual(rungs("metrics.reward"), [7]);
  assert.deepEqual(
    rungs("metrics.loss", ", until_accuracy: 0.5"),
    [7],
    "the warm start writes it from its first update on",
  );
  assert.throws(
    () => rungs("metrics.reward", ", until_accuracy: 0.5"),
    /:4:45: "first" is 7, but metrics\.reward is written only after step "fine_tune", which ends at its until_accuracy, after 1 to 5 train steps: .* leave its until_accuracy out/,
  );
});

Deno.test("the workflow of docs/sweeps.md is one that can be planned, with the rungs that stand below it", async () => {
  const page = await Deno.readTextFile("docs/sweeps.md"), [, text] = /```yaml\n([^]*?)```/.exec(page)!;
  const loaded = load(text!), plans = planRuns(loaded, STEPS);
  const { rungs, sizes } = planHalving(loaded.document, plans)!;
  assert(page.includes(`after train steps ${rungs.join(" and ")}`), `${rungs}`);
  assert(page.includes(`${sizes.join(", then ")} combinations`), `${sizes}`);
});
