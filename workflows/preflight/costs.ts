/** What each step of a plan costs, as far as its parameters, the model and the prompts are known before the run. @module */
import type { Cost, RowTokens } from "../../steps/cost/cost.ts";
import type { PlannedStep } from "../plan/plan.ts";
import { MEMORY_STEPS } from "../store/run_tables.ts";
import type { Facts } from "./facts.ts";
import { trainedAdapter } from "./lora_rules.ts";
import { bitsOf, freeBytes, samplingBitsOf } from "./model_memory.ts";

interface StepCost {
  readonly step: PlannedStep;
  /** Bytes of the models that the steps before it have loaded. */
  readonly held: number;
  /** How often it runs at most. */
  readonly times: number;
  readonly cost: Cost;
}

type Model = NonNullable<Facts["model"]>;

const TEXT_TOKENS = 16; // Tokens of a text where the prompts are not known.

/** The steps that declare a cost, in the order of the file; none while the model is not known. */
export function costsOf(facts: Facts): StepCost[] {
  const { steps, model, prompts } = facts;
  if (model?.config == null || model.layout === null) return [];
  const known = {
    config: model.config,
    parameters: model.layout.count,
    adapter: trainedAdapter(model),
    bits: bitsOf(model),
    samplingBits: samplingBitsOf(model),
    generation: model.generation,
    ...longestOf(
      prompts?.rows.map(({ prompt }) => String(prompt)) ?? [],
      prompts?.rows.map(({ answer }) => String(answer)) ?? [],
      model,
    ),
  };
  const preferences = new Map(facts.preferences.map(({ loaded, prompts, answers, problem }) => [
    loaded.step,
    problem === null ? longestOf(prompts, answers, model) : null,
  ]));
  const free = freeBytes(facts);
  let held = 0;
  return steps.flatMap(({ step, rounds }, place) => {
    const before = steps.slice(0, place);
    const cost = step.params === null ? null : step.kind.cost?.(step.params, {
      ...known,
      free: free === null ? null : free - held,
      preferences: before.flatMap(({ step }) => preferences.get(step) ?? []).at(-1) ?? null,
      keptSteps: Math.min(rounds, MEMORY_STEPS),
      earlier: (uses) =>
        (before.findLast(({ step }) => step.uses === uses && step.params !== null)?.step.params ??
          null) as Readonly<Record<string, unknown>> | null,
    });
    if (cost == null) return [];
    held += cost.held ?? 0;
    return [{ step, times: Math.floor(rounds / step.every), cost, held }];
  });
}

function longestOf(prompts: readonly string[], answers: readonly string[], model: Model): RowTokens {
  return { promptTokens: longestTokens(prompts, model), answerTokens: longestTokens(answers, model) + 1 };
}

function longestTokens(texts: readonly string[], { tokenizer }: Model): number {
  if (texts.length === 0 || tokenizer === null) return TEXT_TOKENS;
  return tokenizer.encode(texts.reduce((a, b) => b.length > a.length ? b : a)).length;
}
