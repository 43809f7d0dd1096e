/** A rough estimate of what a plan costs, from the model's size and the tokens it will see. @module */
import { join } from "node:path";
import { modelConfig } from "../gpu/models/config.ts";
import { parameterLayout } from "../gpu/models/layout.ts";
import { MODEL_PRESETS } from "../steps/resources/model_presets.ts";
import type { Plan, PlannedStep, PlanNode } from "./plan.ts";

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
/** Bytes of the process before any model: Deno, the library, the code. */
const BASE_BYTES = 200e6;

interface Visit {
  readonly step: PlannedStep;
  readonly times: number;
}

/**
 * FLOPs: 2N per sampled token, 6N per trained token, 2N per token of a reference pass (N = parameters). Memory: 16 bytes
 * per parameter (weights, gradient, two moments), activations of one train graph (34 · tokens · D · L · 4 bytes / 2, and
 * logits), and the process itself. A step whose parameters are not known before the run counts nothing.
 */
export async function estimate(plan: Plan): Promise<Estimate> {
  const visits = collect(plan.steps, 1);
  const config = await configOf(visits, plan.folder);
  if (!config) {
    return { seconds: NaN, memoryBytes: BASE_BYTES, shapes: {}, basis: "the model is not known before the run" };
  }
  const count = parameterLayout(config).count;
  const shapes: Record<string, string> = {
    model: `${
      (count / 1e6).toFixed(2)
    } M parameters, D ${config.hiddenSize}, L ${config.layers}, V ${config.vocabSize}`,
  };
  let flops = 0, rounds = 0, tokensAtOnce = 0;
  for (const { step, times } of visits) {
    const p = (step.params ?? {}) as Record<string, number>;
    if (step.uses === "sample_groups" && p["prompts_per_step"]) {
      const rows = p["prompts_per_step"]! * (p["group_size"] ?? 8), tokens = rows * (p["max_new_tokens"] ?? 0);
      shapes["rollout"] = `[${rows}, ${p["max_new_tokens"]}] completion tokens per train step`;
      flops += times * tokens * count * (2 + 6);
      rounds += times;
      tokensAtOnce = Math.max(tokensAtOnce, tokens);
    }
    if (step.uses === "fine_tune" && p["max_updates"]) {
      const tokens = (p["batch_size"] ?? 64) * 10;
      shapes["fine_tune"] = `[${p["batch_size"]}, about 10] tokens per update`;
      flops += times * p["max_updates"]! * tokens * count * 6;
      rounds += times * p["max_updates"]!;
      tokensAtOnce = Math.max(tokensAtOnce, tokens);
    }
  }
  const activations = tokensAtOnce * (17 * config.hiddenSize * config.layers + 3 * config.vocabSize) * 4;
  return {
    seconds: flops / RATE + rounds * STEP_OVERHEAD,
    memoryBytes: BASE_BYTES + 16 * count + activations,
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

async function configOf(visits: readonly Visit[], folder: string) {
  const model = (visits.find(({ step }) => step.uses === "load_model")?.step.params as { model?: unknown } | undefined)
    ?.model;
  if (model === undefined) return null;
  const vocabulary = { vocab_size: 258 };
  if (typeof model === "object") return modelConfig({ ...vocabulary, ...model });
  if (Object.hasOwn(MODEL_PRESETS, String(model))) {
    return modelConfig({ ...MODEL_PRESETS[model as keyof typeof MODEL_PRESETS], ...vocabulary });
  }
  try {
    return modelConfig(JSON.parse(await Deno.readTextFile(join(folder, String(model), "config.json"))));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return null;
    throw error;
  }
}
