/** What each step of a plan costs, as far as its parameters, the model and the prompts are known before the run. @module */
import { orElse } from "../../data/file_system.ts";
import { chatOf, chatSettingsOf } from "../../steps/resources/chat.ts";
import type { Cost, RowTokens } from "../../steps/cost/cost.ts";
import type { PlannedStep } from "../plan/plan.ts";
import { MEMORY_STEPS } from "../store/run_tables.ts";
import type { Facts } from "./facts.ts";
import { imageFacts } from "./image_facts.ts";
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
const ENCODED = 64; // Texts, the longest in characters, whose tokens are counted.

/** The steps that declare a cost, in the order of the file; none while the model is not known. */
export function costsOf(facts: Facts): StepCost[] {
  const { steps, model, prompts } = facts;
  if (model?.config == null || model.layout === null) return [];
  const images = imageFacts(facts);
  const known = {
    images: images?.load ?? null,
    config: model.config,
    parameters: model.layout.count,
    adapter: trainedAdapter(model),
    bits: bitsOf(model),
    samplingBits: samplingBitsOf(model),
    generation: model.generation,
    ...withImages(
      longestOf(
        prompts?.rows.map(({ prompt }) => String(prompt)) ?? [],
        prompts?.rows.map(({ answer }) => String(answer)) ?? [],
        { model, folder: facts.plan.folder },
      ),
      images?.tokens ?? 0,
    ),
  };
  const preferences = new Map(facts.preferences.map(({ loaded, prompts, answers, problem }) => [
    loaded.step,
    problem === null ? longestOf(prompts, answers, { model, folder: facts.plan.folder }) : null,
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

/** As if the longest text had the most images. */
const withImages = ({ promptTokens, answerTokens }: RowTokens, tokens: number) => ({
  promptTokens: promptTokens + tokens,
  answerTokens,
});

/** Prompts as the model reads them, through its chat template where it has to; a completion has its end besides. */
function longestOf(
  prompts: readonly string[],
  answers: readonly string[],
  { model, folder }: { readonly model: Model; readonly folder: string },
): RowTokens {
  const { tokenizer } = model;
  if (tokenizer === null) return { promptTokens: TEXT_TOKENS, answerTokens: TEXT_TOKENS + 1 };
  const tokens = (text: string) => tokenizer.encode(text).length;
  const format = orElse(() => chatOf(tokenizer, chatSettingsOf(model.loaded.params, folder)).format, String);
  const ofPrompt = (prompt: string) => tokens(orElse(() => format(prompt), prompt));
  return { promptTokens: longest(prompts, ofPrompt), answerTokens: longest(answers, tokens) + 1 };
}

/** The most tokens among the longest texts: of two as long in characters one may have twice the tokens. */
function longest(texts: readonly string[], tokens: (text: string) => number): number {
  if (texts.length === 0) return TEXT_TOKENS;
  return Math.max(...[...new Set(texts)].sort((a, b) => b.length - a.length).slice(0, ENCODED).map(tokens));
}
