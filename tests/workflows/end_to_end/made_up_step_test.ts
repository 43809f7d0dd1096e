/** A step that nobody knows: what it declares is enough for the estimate, the outline, the engine and the faults. */
import assert from "node:assert/strict";
import { z } from "zod";
import { STEPS } from "../../../steps/mod.ts";
import { defineStep } from "../../../steps/step.ts";
import { tableOfRows } from "../../../data/tables/mod.ts";
import { outlineOf } from "../../../workflows/cli/outline.ts";
import { runPlan } from "../../../workflows/engine/run_plan.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import { estimate } from "../../../workflows/preflight/estimate.ts";
import { patchPlan } from "../../../workflows/repair/patch_plan.ts";
import { ENVIRONMENT, withFolder } from "../engine/fake_runs.ts";

const NOTHING = { reads: {}, writes: {}, needs: [], gives: [], pure: false } as const;

const KINDS = {
  ...STEPS,
  imitate: defineStep({
    ...NOTHING,
    about: "Trains by itself",
    params: z.strictObject({ rounds: z.int() }),
    writes: { metrics: [] },
    outputs: z.strictObject({ updates: z.int() }),
    trains: ({ rounds }) => ({ updates: rounds, until: 0.75 }),
    cost: ({ rounds }, { parameters, promptTokens }) => ({
      flops: 1e6 * parameters * rounds,
      trainSteps: rounds,
      shape: { name: "imitation", text: `[${promptTokens}] tokens` },
      peak: { key: "rounds", bytes: 1e15, what: "imitating", remedy: "lower rounds" },
    }),
    run({ rounds }, context) {
      for (let i = 0; i < rounds; i++) {
        const train_step = context.advance();
        const row = { train_step, phase: "imitation", step_id: context.stepId, loss: 1 };
        context.write({ metrics: tableOfRows("metrics", [row]) });
      }
      return { outputs: { updates: rounds } };
    },
  }),
  examine: defineStep({
    ...NOTHING,
    about: "Measures",
    params: z.strictObject({}),
    outputs: z.strictObject({ sampled: z.number() }),
    measures: true,
    run: (_, { trainStep }) => ({ outputs: { sampled: trainStep / 10 } }),
  }),
};

const planOf = (steps: string) =>
  planWorkflow(
    parseWorkflow(`name: made_up\ncheckpoint: { best: evaluations.sampled }\nsteps:\n${steps}`, "made_up.yaml", {
      kinds: KINDS,
    }),
    KINDS,
  );

const IMITATE = "  - { id: copy, uses: imitate, with: { rounds: 3 } }\n  - { id: exam, uses: examine }\n";

Deno.test("a made-up step gets an estimate and an outline by what it declares", async () => {
  const plan = planOf(`  - { uses: load_model, with: { model: tiny_qwen2 } }\n${IMITATE}`);
  const { seconds, memoryBytes, shapes } = await estimate(plan);
  assert.equal(shapes["imitation"], "[16] tokens");
  assert(memoryBytes > 1e15 && seconds > 0.03);
  const { training, measuring } = outlineOf(plan);
  assert.deepEqual([...training], [["copy", { count: 3, atMost: true, until: 0.75 }]]);
  assert.deepEqual([...measuring], ["exam"]);
});

Deno.test("a made-up step's outputs are evaluations, by which the best checkpoint is chosen", () =>
  withFolder(async (runsFolder) => {
    const told: unknown[] = [];
    const { status, reason, evaluations } = await runPlan(planOf(IMITATE), {
      runsFolder,
      projectFolder: runsFolder,
      environment: ENVIRONMENT,
      onEvent: ({ event, best }) => void (event === "checkpoint" && told.push(best)),
    });
    assert.equal(status, "ok", reason ?? "");
    assert.deepEqual(evaluations, { exam: { sampled: 0.3 } });
    assert.deepEqual(told.at(-1), 0.3);
  }));

Deno.test("a made-up step that trains by itself is patched where it stands", () => {
  const patched = patchPlan(planOf(IMITATE), [{ step: "imitate", key: "rounds", mul: 2 }], 1e-4);
  assert.deepEqual(patched.plan === null ? patched.problem : patched.edits.map(({ to }) => to), [6]);
});
