/** What the model of a plan takes of memory before any step computes, and what its budget leaves. @module */
import { trainsAdapter } from "../../steps/options/lora.ts";
import { memoryBytes, memoryProblems } from "../../steps/options/memory_size.ts";
import { BITS, type Bits, quantizedBytes } from "../../gpu/weights/quantized.ts";
import { type ReferenceKind, referenceKind } from "../../steps/resources/reference.ts";
import { momentBytes, type OptimizerStateKind } from "../../gpu/optimizers/moments.ts";
import { frozenBytes, PROCESS_BYTES, usable } from "../../steps/cost/memory.ts";
import type { Facts } from "./facts.ts";
import { imageBytes } from "./image_facts.ts";
import { trainedLayout } from "./lora_rules.ts";
import type { ModelFacts } from "./model_facts.ts";

/** Of the frozen base's matrices; null where they are float32. */
export function bitsOf(model: ModelFacts): Bits | null {
  return trainsAdapter(model.loaded.params) ? samplingBitsOf(model) : null;
}

/** Of the matrices that samples are drawn by, of the base or of a copy; null where they are float32. */
export function samplingBitsOf({ loaded: { params } }: ModelFacts): Bits | null {
  return BITS[params.weights];
}

/** The memory that load_model allows the run; null where it says nothing, or nothing that can be read. */
export function budgetOf({ model }: Facts): number | null {
  const memory = model?.loaded.params.memory;
  return memory === undefined || memoryProblems(memory).length > 0 ? null : memoryBytes(memory);
}

/** Parts of what is there before any step computes, in bytes. */
interface ModelMemory {
  readonly process: number;
  readonly weights: number;
  readonly gradient: number;
  readonly moments: number;
  readonly reference: number;
  /** What is kept of the prompts' images, and the largest of them in the tower. */
  readonly images: number;
}

/** Null while the model is not known. */
export function modelMemory(facts: Facts): ModelMemory | null {
  const { model } = facts;
  if (model?.layout == null) return null;
  const { params } = model.loaded, { count } = model.layout, bits = bitsOf(model);
  const trained = trainedLayout(model)?.count ?? 0;
  const base = bits === null ? frozenBytes(count) : quantizedBytes(model.layout, bits);
  const sampling = samplingBitsOf(model), rounded = sampling === null ? 0 : quantizedBytes(model.layout, sampling);
  // What samples are drawn by is there twice: kernels bring their constants into an order of their own.
  const sampled = bits === sampling ? rounded : 2 * rounded;
  return {
    process: PROCESS_BYTES,
    weights: (trainsAdapter(params) ? base + frozenBytes(trained) : frozenBytes(count)) + sampled,
    gradient: 4 * trained,
    moments: momentBytes(momentsOf(facts), trained),
    reference: REFERENCE_BYTES[referenceKind(params.reference)]({ trained, all: count }),
    images: imageBytes(facts, budgetOf(facts)),
  };
}

/** Of how many parameters a reference has a copy of its own; the model of a folder is as large as the policy. */
const REFERENCE_BYTES: Readonly<Record<ReferenceKind, (count: { trained: number; all: number }) => number>> = {
  none: () => 0,
  adapter_off: () => 0,
  copy: ({ trained }) => frozenBytes(trained),
  folder: ({ all }) => frozenBytes(all),
};

export function fixedBytes(parts: ModelMemory): number {
  return Object.values(parts).reduce((sum, bytes) => sum + bytes, 0);
}

/** Bytes that the budget leaves besides the model; null without one. */
export function freeBytes(facts: Facts): number | null {
  const budget = budgetOf(facts), parts = modelMemory(facts);
  return budget === null || parts === null ? null : usable(budget) - fixedBytes(parts);
}

/** How moments are stored: as float32 unless every step that trains says otherwise. */
function momentsOf({ steps }: Facts): OptimizerStateKind {
  const kinds = steps.flatMap(({ step: { params } }) =>
    params !== null && "optimizer_state" in (params as object)
      ? [(params as { optimizer_state: OptimizerStateKind }).optimizer_state]
      : []
  );
  return kinds.length > 0 && kinds.every((kind) => kind === "int8") ? "int8" : "float32";
}
