/** Fake steps whose rewards and findings a test decides: the protocol of repair without a model. @module */
import { z } from "zod";
import { tableOfRows } from "../../../data/tables/mod.ts";
import type { Resources } from "../../../steps/resources/mod.ts";
import { defineStep, type Step } from "../../../steps/step.ts";
import type { RunEvent, RunOptions } from "../../../workflows/engine/run_plan.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import type { Plan } from "../../../workflows/plan/plan.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import { type RepairedRun, runWithRepair } from "../../../workflows/repair/run_with_repair.ts";
import { ENVIRONMENT } from "../engine/fake_runs.ts";
import { FakePolicy } from "../engine/fake_steps.ts";

/** What is in force in a train step, and how often that train step was computed before, over all forks. */
export interface Moment {
  readonly trainStep: number;
  readonly temperature: number;
  readonly rate: number;
  readonly again: number;
}

export interface Trouble {
  readonly cause: string;
  readonly codes?: readonly string[];
  readonly severity?: string;
  readonly trainSteps?: readonly number[];
  readonly patches?: readonly Record<string, unknown>[];
}

export interface World {
  reward?(moment: Moment): number;
  trouble?(moment: Moment): Trouble | null;
}

const NOTHING = {
  about: "a fake",
  reads: {},
  writes: {},
  needs: [],
  gives: [],
  pure: false,
  outputs: z.strictObject({}),
} as const;

// deno-lint-ignore no-explicit-any
function kinds(world: World, seen: Map<number, number>): Record<string, Step<any, any>> {
  let temperature = 1, rate = 0;
  const moment = (trainStep: number) => ({ trainStep, temperature, rate, again: seen.get(trainStep) ?? 0 });
  return {
    load_model: defineStep({
      ...NOTHING,
      params: z.strictObject({}),
      gives: ["policy"],
      run: () => ({ resources: { policy: new FakePolicy(8) as unknown as Resources["policy"] } }),
    }),
    sample_groups: defineStep({
      ...NOTHING,
      params: z.strictObject({ temperature: z.number().default(1) }),
      decidesReward: ["temperature"],
      run(params) {
        temperature = params.temperature;
        return {};
      },
    }),
    apply_update: defineStep({
      ...NOTHING,
      params: z.strictObject({ learning_rate: z.number().max(1) }),
      needs: ["policy"],
      writes: { metrics: [] },
      run({ learning_rate }, context) {
        rate = learning_rate;
        (context.resource("policy") as unknown as FakePolicy).update(rate);
        const reward = world.reward?.(moment(context.trainStep)) ?? 0.5;
        const row = { train_step: context.trainStep, phase: "rollout", step_id: context.stepId, reward };
        return { tables: { metrics: tableOfRows("metrics", [row]) } };
      },
    }),
    diagnose: defineStep({
      ...NOTHING,
      params: z.strictObject({}),
      reads: { metrics: [] },
      writes: { findings: [] },
      run(_, { trainStep }) {
        const trouble = world.trouble?.(moment(trainStep)) ?? null;
        seen.set(trainStep, (seen.get(trainStep) ?? 0) + 1);
        if (trouble === null) return {};
        const { cause, codes = ["N01"], severity = "error", trainSteps = [trainStep], patches = [] } = trouble;
        const finding = {
          train_step: trainStep,
          cause,
          codes,
          severity,
          train_steps: trainSteps,
          message: "it is broken",
          hint: "mend it",
          evidence: "[]",
          remedy: JSON.stringify({ patches, options: [] }),
          ruled_out: "[]",
        };
        return { tables: { findings: tableOfRows("findings", [finding]) }, stop: `${cause}: it is broken` };
      },
    }),
  };
}

const TEXT = (every: number, repair: string) =>
  `name: faulty
params: { rate: 0.8 }
repair: ${repair}
checkpoint: { every: ${every}, keep: 2 }
steps:
  - uses: load_model
  - repeat: 60
    steps:
      - { uses: sample_groups, with: { temperature: 0.5 } }
      - { uses: apply_update, with: { learning_rate: "\${{ params.rate }}" } }
      - uses: diagnose
`;

/** Its plan; `every` train steps between checkpoints. */
export function faultyPlan(
  world: World,
  { every = 10, repair = "apply", seen = new Map<number, number>() } = {},
): Plan {
  return planWorkflow(parseWorkflow(TEXT(every, repair), "faulty.yaml", { folder: "/data" }), kinds(world, seen));
}

export interface ToldRun extends RepairedRun {
  readonly events: readonly RunEvent[];
}

/** Runs it with repair. */
export async function runFaulty(
  runs: string,
  world: World,
  options: { readonly every?: number; readonly repair?: string } & Partial<RunOptions> = {},
): Promise<ToldRun> {
  const { every, repair, ...rest } = options;
  const events: RunEvent[] = [];
  const plan = faultyPlan(world, { ...(every ? { every } : {}), ...(repair ? { repair } : {}) });
  const result = await runWithRepair(plan, {
    runsFolder: runs,
    projectFolder: runs,
    environment: ENVIRONMENT,
    runId: "faulty",
    onEvent: (event) => events.push(event),
    ...rest,
  });
  return { ...result, events };
}
