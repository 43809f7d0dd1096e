/** A rough estimate of what a plan costs, from the model's size and the tokens it will see. @module */
import { parameterLayout } from "../../gpu/models/parameters.ts";
import { PROCESS_BYTES } from "../../steps/cost/memory.ts";
import { factsOf } from "./facts.ts";
import { peaksOf } from "./memory_rules.ts";
import type { Plan, PlannedStep, PlanNode } from "../plan/plan.ts";

export interface Estimate {
  readonly seconds: number;
  readonly memoryBytes: number;
  /** Shapes of what the steps compute, by name. */
  readonly shapes: Readonly<Record<string, string>>;
  readonly basis: string;
}

/** Floating-point operations per second that two cores of a current machine sustain in float32 training. */
const RATE = 1e11;
/** Seconds that a train step costs beside the arithmetic: tables, tokens, rewards. */
const STEP_OVERHEAD = 0.01;

interface Visit {
  readonly step: PlannedStep;
  readonly times: number;
}

/**
 * FLOPs: 2N per sampled token, 6N per trained token, 2N per token of a reference pass (N = parameters). Memory: the
 * largest peak of a step (memory.ts). A step whose parameters are not known before the run counts nothing.
 */
export async function estimate(plan: Plan): Promise<Estimate> {
  const visits = collect(plan.steps, 1);
  const facts = await factsOf(plan, null), config = facts.model?.config;
  if (!config) {
    return { seconds: NaN, memoryBytes: PROCESS_BYTES, shapes: {}, basis: "the model is not known before the run" };
  }
  const count = parameterLayout(config).count;
  const shapes: Record<string, string> = {
    model: `${
      (count / 1e6).toFixed(2)
    } M parameters, D ${config.hiddenSize}, L ${config.layers}, V ${config.vocabSize}`,
  };
  let flops = 0, rounds = 0;
  for (const { step, times } of visits) {
    const p = (step.params ?? {}) as Record<string, number>;
    if (step.uses === "sample_groups" && p["prompts_per_step"]) {
      const rows = p["prompts_per_step"]! * (p["group_size"] ?? 8), tokens = rows * (p["max_new_tokens"] ?? 0);
      shapes["rollout"] = `[${rows}, ${p["max_new_tokens"]}] completion tokens per train step`;
      flops += times * tokens * count * (2 + 6);
      rounds += times;
    }
    if (step.uses === "fine_tune" && p["max_updates"]) {
      const tokens = (p["batch_size"] ?? 64) * 10;
      shapes["fine_tune"] = `[${p["batch_size"]}, about 10] tokens per update`;
      flops += times * p["max_updates"]! * tokens * count * 6;
      rounds += times * p["max_updates"]!;
    }
  }
  return {
    seconds: flops / RATE + rounds * STEP_OVERHEAD,
    memoryBytes: Math.max(...peaksOf(facts).map(({ bytes }) => bytes)),
    shapes,
    basis: "2 FLOP per parameter and sampled token, 6 per trained token, 100 GFLOP/s, warm start at its longest",
  };
}

function collect(nodes: readonly PlanNode[], times: number): Visit[] {
  return nodes.flatMap((node) =>
    node.type === "step"
      ? [{ step: node, times: Math.floor(times / node.every) }]
      : collect(node.steps, times * node.repeat)
  );
}
