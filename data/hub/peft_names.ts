/** Names of the tensors in PEFT's adapter_model.safetensors, and of the modules that they belong to. @module */

import { moduleName, publishedName } from "./visual_names.ts";

const PREFIX = "base_model.model.";

/** The module of a parameter: its name without what it is of it. */
export function moduleOf(parameter: string): string {
  return parameter.replace(/\.(?:weight|bias)$/, "");
}

/** Names of A and B of a weight; `visual`: of a model that reads images. */
export function lowRankNames(weight: string, visual = false): { readonly a: string; readonly b: string } {
  const module = moduleOf(wholeName(weight, visual));
  return { a: `${module}.lora_A.weight`, b: `${module}.lora_B.weight` };
}

/** Name of what takes the place of a parameter. */
export function wholeName(parameter: string, visual = false): string {
  return `${PREFIX}${visual ? moduleName(parameter) : parameter}`;
}

/** What a tensor is: a half of what is added to a weight, or what takes the place of a parameter. */
interface PeftTensor {
  /** Of the base model, as published files call it: `model.layers.0.self_attn.q_proj.weight`. */
  readonly parameter: string;
  /** Its module as it stands here. */
  readonly module: string;
  /** Null for what takes its place. */
  readonly half: "A" | "B" | null;
}

/**
 * The parameter whose numbers beneath an adapter PEFT saves along with it, as it does of an embedding or a head that is a
 * target; null for another tensor.
 */
export function beneath(name: string): string | null {
  const [, module] = /^(?:base_model\.model\.)?(.+)\.base_layer\.weight$/.exec(name) ?? [];
  return module === undefined ? null : publishedName(`${module}.weight`);
}

const NAME = /^(?:base_model\.model\.)?(.+?)(?:\.lora_([AB]))?\.(weight|bias)$/;

/** Null for a name that is neither; PEFT's prefix may lack. */
export function peftTensor(name: string): PeftTensor | null {
  const [, module, half, kind] = NAME.exec(name) ?? [];
  if (module === undefined || half !== undefined && kind === "bias") return null;
  const parameter = publishedName(`${module}.${kind}`);
  return { parameter, module, half: half === "A" || half === "B" ? half : null };
}
