import assert from "node:assert/strict";
import { z } from "zod";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import type { Plan } from "../../../workflows/plan/plan.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import { stringifyPlan } from "../../../workflows/plan/resolved.ts";
import { planAll, planOne, withSteps } from "../planned.ts";
import { GOOD, SMALL_KINDS } from "../small_kinds.ts";

/** A plan without what differs by where it was read from: places, the command line, parameters before their defaults. */
function bare(plan: Plan): unknown {
  const { document: _, source: __, given: ___, ...rest } = plan;
  return JSON.parse(
    JSON.stringify(
      rest,
      (key, value) =>
        ["position", "path", "offset", "kind"].includes(key) && typeof value === "object" || key === "with"
          ? undefined
          : value,
    ),
  );
}

const MATRIX = withSteps(
  `  - { id: first, uses: evaluate, if: matrix.size > 2 }
  - { uses: load_model, with: { model: "m\${{ matrix.size }}-\${{ params.word }}" }, timeout-minutes: 3 }
  - repeat: \${{ params.size }}
    until: steps.e.outputs.sampled > 0.5
    steps:
      - { uses: sample_groups, with: { group_size: 4, temperature: "\${{ steps.load_evaluation.outputs.sampled }}" }, retry: { max: 1 } }
      - { id: e, uses: evaluate, every: 2, continue-on-error: true }
  - { uses: load_prompts, with: { task: countdown }, cache: true }
`,
  "seed: ${{ matrix.size }}\nstrategy: { matrix: { size: [2, 4] } }\nfaults: [{ kind: top_k_one }]\n",
).replace("load_evaluation", "first");

for (const [name, text] of Object.entries({ good: GOOD, matrix: MATRIX })) {
  Deno.test(`stringifyPlan() of the ${name} workflow parses into the same plan`, () => {
    for (const plan of planAll(text, { params: { size: "3" }, settings: { device: "cpu", threads: 2 } })) {
      const written = stringifyPlan(plan);
      const again = planWorkflow(parseWorkflow(written, "small.yaml", { folder: "/data" }), SMALL_KINDS);
      assert.deepEqual(bare(again), { ...bare(plan) as object, matrix: {} });
      assert.equal(stringifyPlan(again), written);
    }
  });
}

Deno.test("stringifyPlan() fills in overrides and defaults and keeps look-ups", () => {
  const written = stringifyPlan(planOne(GOOD, { params: { size: "8" } }));
  assert.match(written, /^# The workflow of one run, resolved from small.yaml\n/);
  assert.match(written, /\n {2}size: 8\n/);
  assert.match(written, /group_size: \$\{\{ params.size \}\}\n {10}temperature: 1\n {10}stop: \[\]/);
  assert.match(written, /- uses: verifier\n {14}weight: 1/);
  assert.match(written, /\n {4}if: always\(\)/);
});

Deno.test("stringifyPlan() writes texts that look like something else so that they stay texts", () => {
  const plan = planOne(withSteps("", "about: '1e-4'\n").replace("word: hello", "word: 'null'"));
  const again = parseWorkflow(stringifyPlan(plan), "a.yaml");
  assert.deepEqual([again.document.about, again.document.params.word], ["1e-4", "null"]);
});

Deno.test("stringifyPlan() writes parameters as they were where a schema transforms them", () => {
  const load_model = {
    ...SMALL_KINDS.load_model,
    params: z.strictObject({ model: z.string().transform((text) => text.length) }),
  };
  const kinds = { ...SMALL_KINDS, load_model };
  const plan = planWorkflow(
    parseWorkflow("name: a\nsteps: [{ uses: load_model, with: { model: abc } }]\n", "a.yaml"),
    kinds,
  );
  assert.deepEqual((plan.steps[0] as { params: unknown }).params, { model: 3 });
  assert.match(stringifyPlan(plan), /model: abc/);
});
