/** The rule on memory: what a step computes at once fits this machine, and the budget that the workflow sets. @module */
import { byteText } from "../../data/byte_text.ts";
import type { Peak } from "../../steps/cost/cost.ts";
import type { PlannedStep } from "../plan/plan.ts";
import { trainsAdapter } from "../../steps/options/lora.ts";
import { costsOf } from "./costs.ts";
import type { Facts } from "./facts.ts";
import { budgetFor, usable } from "../../steps/cost/memory.ts";
import { at, type Report } from "./finding.ts";
import { budgetOf, fixedBytes, modelMemory } from "./model_memory.ts";

/** A peak with its step; its bytes are those of the whole process. */
interface StepPeak extends Peak {
  readonly step: PlannedStep;
  /** Of its bytes, those of the models and the process. */
  readonly fixed: number;
}

/** A step whose peak is beyond the machine's memory dies in it; a GPU's memory is another one, of which nothing is known. */
export function memory(facts: Facts): Report[] {
  if (facts.plan.settings.device === "cuda") return [];
  const budget = budgetOf(facts), peaks = peaksOf(facts);
  const allowed = budget === null ? Infinity : usable(budget);
  const most = Math.min(facts.memoryBytes, allowed), beyond = peaks.filter(({ bytes }) => bytes > most);
  // Where the model alone does not fit, nothing else needs to be said.
  const told = beyond.some(({ key }) => key === "model") ? beyond.slice(0, 1) : beyond;
  return told.map((peak) => {
    const { step, key, bytes, what, remedy } = peak;
    const message = most === allowed
      ? ofBudget(facts, peak)
      : `${what} takes about ${byteText(bytes)} of memory and this machine has ${byteText(most)}; ${remedy}`;
    const ofModel = most === allowed && key === "model";
    return { severity: "error", refuses: true, message, path: at(step, ofModel ? "memory" : key) };
  });
}

/** Peaks of a plan's steps, the model's own first; none while its configuration is not known. */
export function peaksOf(facts: Facts): StepPeak[] {
  const { model } = facts, parts = modelMemory(facts);
  if (model?.config == null || parts === null) return [];
  const fixed = fixedBytes(parts), { step } = model.loaded;
  return [
    { step, key: "model", bytes: fixed, fixed, what: "training the model", remedy: "take a smaller one" },
    ...costsOf(facts).map(({ step, cost: { peak }, held }) => ({
      ...peak,
      step,
      fixed: fixed + held,
      bytes: fixed + held + peak.bytes,
    })),
  ];
}

const MOSTLY = 0.9; // A share of what is wanted.

/** A budget that does not hold the least that a step computes: how much that is, what takes it, what helps. */
function ofBudget(facts: Facts, { bytes, fixed, what, key, chosen }: StepPeak): string {
  const parts = modelMemory(facts)!, { process } = parts;
  const wanted = budgetFor(bytes), others = fixed - fixedBytes(parts);
  const takes = Object.entries({
    ...parts,
    "other models and rows": others,
    ...(key === "model" ? {} : { "what the step holds": bytes - fixed }),
    "kept back": wanted - bytes,
  }).filter(([, bytes]) => bytes > 0).map(([name, bytes]) => `${name} ${byteText(bytes)}`);
  const least = chosen === undefined || key === "model" ? "" : ", at the least";
  // Of what the process takes by itself, nothing that the workflow says takes anything away.
  const remedy = key === "model" && process + (wanted - bytes) > MOSTLY * wanted
    ? "allow more memory: nearly all of it is the program's own"
    : remediesOf(facts, key).join(", ");
  return `${what}${least} takes about ${byteText(wanted)} (${takes.join(", ")}) and memory of load_model is ${
    facts.model!.loaded.params.memory
  }, want ${Math.ceil(wanted / 1e6)}MB or more; ${remedy}`;
}

/** What makes a run smaller, as far as it is not done yet. */
function remediesOf(facts: Facts, key: string): string[] {
  const { params } = facts.model!.loaded;
  const given = facts.steps.flatMap(({ step: { params } }) =>
    params === null ? [] : [params as Record<string, unknown>]
  );
  const lacks = (name: string, value: unknown) => given.some((params) => name in params && params[name] !== value);
  return [
    ...(!trainsAdapter(params) ? ["set lora"] : params.weights === "float32" ? ["set weights: int8"] : []),
    ...(lacks("optimizer_state", "int8") ? ["optimizer_state: int8"] : []),
    ...(key !== "model" && lacks("recompute", true) ? ["recompute: true"] : []),
    ...(key === "model" ? ["take a smaller model"] : ["shorter completions (max_new_tokens)"]),
    "or allow more memory",
  ];
}
