/** A rough estimate of what a plan costs, from the model's size and the tokens it will see. @module */
import { PROCESS_BYTES } from "../../steps/cost/memory.ts";
import type { Plan } from "../plan/plan.ts";
import { costsOf } from "./costs.ts";
import { type Facts, factsOf } from "./facts.ts";
import { peaksOf } from "./memory_rules.ts";
import { budgetOf } from "./model_memory.ts";

interface Estimate {
  readonly seconds: number;
  readonly memoryBytes: number;
  /** The memory that the workflow allows, and how much its steps compute at once so that it holds; null: no bound. */
  readonly memory: { readonly bytes: number; readonly atOnce: Readonly<Record<string, string>> } | null;
  /** Shapes of what the steps compute, by name. */
  readonly shapes: Readonly<Record<string, string>>;
  readonly basis: string;
  /** What steps will tell of how they read the files of prompts. */
  readonly told: readonly string[];
}

/** Floating-point operations per second that two cores of a current machine sustain in float32 training. */
const RATE = 1e11;
const STEP_OVERHEAD = 0.01; // Seconds that a train step costs beside the arithmetic: tables, tokens, rewards.

/**
 * What the steps declare, added up; memory is the largest peak of a step. A step whose parameters are not known before the
 * run counts nothing.
 */
export async function estimate(plan: Plan): Promise<Estimate> {
  const facts = await factsOf(plan, null), { config, layout } = facts.model ?? {}, told = facts.prompts?.told ?? [];
  if (!config || !layout) {
    return {
      seconds: NaN,
      memoryBytes: PROCESS_BYTES,
      memory: null,
      shapes: {},
      basis: "the model is not known before the run",
      told,
    };
  }
  const { hiddenSize, layers, vocabSize } = config, millions = (layout.count / 1e6).toFixed(2);
  const costs = costsOf(facts);
  const total = (key: "flops" | "trainSteps") => costs.reduce((sum, { times, cost }) => sum + times * cost[key], 0);
  return {
    seconds: total("flops") / RATE + total("trainSteps") * STEP_OVERHEAD,
    memoryBytes: Math.max(...peaksOf(facts).map(({ bytes }) => bytes)),
    memory: budgetMemory(facts),
    shapes: {
      model: `${millions} M parameters, D ${hiddenSize}, L ${layers}, V ${vocabSize}`,
      ...Object.fromEntries(
        costs.flatMap(({ cost: { shape } }) => shape === undefined ? [] : [[shape.name, shape.text]]),
      ),
    },
    basis:
      "2 FLOP per parameter and sampled token, 6 per trained token (4 of a frozen base, 2 more with recompute), 100 GFLOP/s, warm start and samplings at their most",
    told,
  };
}

/** What the budget decided, by step. */
function budgetMemory(facts: Facts): Estimate["memory"] {
  const bytes = budgetOf(facts);
  if (bytes === null) return null;
  const chosen = peaksOf(facts).flatMap(({ step, chosen }) =>
    chosen === undefined ? [] : [[step.id, `${chosen.option} ${chosen.value}`]]
  );
  return { bytes, atOnce: Object.fromEntries(chosen) };
}
