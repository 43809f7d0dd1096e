/**
 * A small trainer with exact arithmetic that depends on its order: what the engine's tests run instead of a model.
 * @module
 */
import { z } from "zod";
import { tableOf, tableOfRows } from "../../../data/tables/mod.ts";
import { defineStep, type Step, type StepContext } from "../../../steps/step.ts";
import type { Resources } from "../../../steps/resources/mod.ts";
import type { Resource, ResourceState } from "../../../steps/resources/resource.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import type { Plan } from "../../../workflows/plan/plan.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";

/** Weights that remember every operation: w = fround(w * a + b). */
export class FakePolicy implements Resource {
  weights: Float32Array;
  updates = 0;
  released = false;
  constructor(size: number) {
    this.weights = Float32Array.from({ length: size }, (_, i) => Math.fround(1 / (i + 1)));
  }
  update(rate: number): void {
    this.updates++;
    for (let i = 0; i < this.weights.length; i++) {
      this.weights[i] = Math.fround(this.weights[i]! * 0.9993) + Math.fround(rate * Math.sin(i + this.updates));
    }
  }
  save(): ResourceState {
    return {
      json: { updates: this.updates },
      arrays: new Map([["weights", { shape: [this.weights.length], data: this.weights }]]),
    };
  }
  restore(state: ResourceState): void {
    const saved = state.arrays.get("weights")!;
    if (saved.data.length !== this.weights.length) throw new RangeError("sizes differ");
    this.weights.set(saved.data);
    this.updates = state.json.updates as number;
  }
  release(): void {
    this.released = true;
  }
}

/** Called at every place where the engine looks for a stop request; tests stop the run at the n-th. */
export interface Hooks {
  /** Every executed step and safe point, in order. */
  readonly log: string[];
  at?(place: string, hooks: Hooks): void | Promise<void>;
  policy?: FakePolicy;
  /** What fine_tune gives besides the outputs that it declares. */
  also?: object;
}

type Policy = Resources["policy"];

const policyOf = (context: StepContext) => context.resource("policy") as unknown as FakePolicy;

const none = z.strictObject({});

// deno-lint-ignore no-explicit-any
export function fakeKinds(hooks: Hooks): Record<string, Step<any, any>> {
  const visit = async (place: string) => {
    hooks.log.push(place);
    await hooks.at?.(place, hooks);
  };
  const base = { about: "a fake", reads: {}, writes: {}, needs: [], gives: [], pure: false, outputs: none } as const;
  return {
    load_prompts: defineStep({
      ...base,
      params: z.strictObject({ count: z.int().default(3), file: z.string().optional() }),
      writes: { prompts: [] },
      pure: true,
      async run({ count }) {
        await visit("load_prompts");
        const ids = Array.from({ length: count }, (_, i) => i);
        return { tables: { prompts: tableOf("prompts", { prompt_id: ids, prompt: ids.map((i) => `p${i}`) }) } };
      },
    }),
    load_model: defineStep({
      ...base,
      params: z.strictObject({ size: z.int().default(8) }),
      gives: ["policy"],
      async run({ size }, context) {
        await visit(context.restoring ? "load_model again" : "load_model");
        hooks.policy = new FakePolicy(size);
        return { resources: { policy: hooks.policy as unknown as Policy } };
      },
    }),
    fine_tune: defineStep({
      ...base,
      trains: ({ updates }) => ({ updates }),
      params: z.strictObject({ updates: z.int().default(4) }),
      needs: ["policy"],
      writes: { metrics: [] },
      outputs: z.strictObject({ done: z.number() }),
      async run({ updates }, context) {
        const policy = policyOf(context);
        for (let update = context.position; update < updates; update++) {
          context.advance();
          policy.update(0.01);
          const row = { train_step: context.trainStep, phase: "sft", step_id: context.stepId, loss: policy.weights[1] };
          context.write({ metrics: tableOfRows("metrics", [row]) });
          await visit(`fine_tune ${update}`);
          await context.safePoint(update + 1);
        }
        return { outputs: { done: updates, ...hooks.also } };
      },
    }),
    sample_groups: defineStep({
      ...base,
      params: z.strictObject({ batches: z.int().default(2) }),
      needs: ["policy"],
      reads: { prompts: [] },
      writes: { completions: [] },
      async run({ batches }, context) {
        const policy = policyOf(context);
        const prompts = context.table("prompts");
        for (let batch = 0; batch < batches; batch++) {
          await visit(`sample ${context.trainStep}.${batch}`);
          await context.safePoint();
        }
        const rows = [...prompts.objects() as Iterable<{ prompt_id: number }>].map(({ prompt_id }) => ({
          train_step: context.trainStep,
          prompt_id,
          sample: 0,
          text: `t${context.trainStep}`,
          reward: policy.weights[prompt_id % policy.weights.length],
          old_logprobs: policy.weights.slice(0, 2),
        }));
        return { tables: { completions: tableOfRows("completions", rows) } };
      },
    }),
    apply_update: defineStep({
      ...base,
      params: z.strictObject({ updates: z.int().default(2), rate: z.number().default(0.1) }),
      needs: ["policy"],
      reads: { completions: [] },
      writes: { metrics: [], updates: [] },
      outputs: z.strictObject({ loss: z.number() }),
      async run({ updates, rate }, context) {
        const policy = policyOf(context);
        const rewards = context.table("completions").array("reward") as number[];
        for (let update = context.position; update < updates; update++) {
          policy.update(rate * rewards.reduce((sum, reward) => sum + reward, 0));
          const earlier = update === 0 ? [] : context.table("updates").objects() as Record<string, unknown>[];
          const row = { train_step: context.trainStep, update: update + 1, loss: policy.weights[0] };
          context.write({ updates: tableOfRows("updates", [...earlier, row]) });
          await visit(`update ${context.trainStep}.${update}`);
          await context.safePoint(update + 1);
        }
        const history = context.history("metrics", 3);
        const past = history.numRows() === 0 ? 0 : (history.array("loss") as number[]).reduce((a, b) => a + b, 0);
        const loss = policy.weights[0]! + past;
        const row = { train_step: context.trainStep, phase: "rollout", step_id: context.stepId, loss };
        return { tables: { metrics: tableOfRows("metrics", [row]) }, outputs: { loss } };
      },
    }),
    evaluate: defineStep({
      ...base,
      measures: true,
      params: none,
      needs: ["policy"],
      writes: { evaluations: [] },
      outputs: z.strictObject({ sampled: z.number() }),
      async run(_, context) {
        await visit(`evaluate ${context.stepId} ${context.trainStep}`);
        const sampled = Math.abs(policyOf(context).weights[2]!);
        const row = {
          train_step: context.trainStep,
          step_id: context.stepId,
          mode: "sampled",
          prompt_id: 0,
          correct: true,
        };
        return { tables: { evaluations: tableOfRows("evaluations", [row]) }, outputs: { sampled } };
      },
    }),
    /** Does what the test says: throws, stops, waits, asks for a step to run again until it was visited so many times. */
    act: defineStep({
      ...base,
      params: z.strictObject({
        stop: z.string().optional(),
        value: z.number().optional(),
        again: z.string().optional(),
        visits: z.int().default(2),
      }),
      writes: { findings: [] },
      outputs: z.looseObject({}),
      async run({ stop, value, again, visits }, context) {
        const place = `act ${context.stepId} ${context.trainStep}`;
        await visit(place);
        const visited = hooks.log.filter((other) => other === place).length;
        if (again !== undefined && visited < visits) return { outputs: { value: visited }, again };
        if (stop === undefined) return { outputs: { value: value ?? null } };
        const finding = { train_step: context.trainStep, cause: "entropy_collapse", severity: "error", message: stop };
        return { tables: { findings: tableOfRows("findings", [finding]) }, stop };
      },
    }),
  };
}

/** The plan of a workflow text over the fake kinds. */
export function fakePlan(text: string, hooks: Hooks, params: Record<string, string> = {}): Plan {
  return planWorkflow(parseWorkflow(text, "fake.yaml", { folder: Deno.cwd() }), fakeKinds(hooks), { params });
}
