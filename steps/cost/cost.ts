/** What one run of a step costs, told before anything runs: for the estimate and for the rule on memory. @module */
import type { ModelConfig } from "../../gpu/models/config.ts";
import { type ImageLoad, loadShape } from "../../gpu/models/vision/image_batch.ts";
import type { ImageShape } from "../../gpu/models/vision/tower.ts";
import type { Adapter } from "../../gpu/weights/adapter.ts";
import type { Bits } from "../../gpu/weights/quantized.ts";

/** Tokens of the longest prompt, and of the longest answer with its end. */
export interface RowTokens {
  readonly promptTokens: number;
  readonly answerTokens: number;
}

/** What a step needs to know of the run to say it. */
export interface CostFacts extends RowTokens {
  readonly config: ModelConfig;
  readonly parameters: number;
  /** What trains upon them where they are frozen; null where they train themselves. */
  readonly adapter?: Adapter | null;
  /** Of the preferences that are loaded before; null where those are not known. */
  readonly preferences: RowTokens | null;
  /** What prompts show at most; null or absent where they have no images, or nobody knows. */
  readonly images?: ImageLoad | null;
  /** Of the frozen base's matrices; null where they are float32. */
  readonly bits?: Bits | null;
  /** Of the matrices that samples are drawn by; null where they are float32. */
  readonly samplingBits?: Bits | null;
  /** generation_config.json of the model's folder, where there is one. */
  readonly generation?: Readonly<Record<string, unknown>> | null;
  /** Bytes of the memory budget that are left for what a step computes at once; null where there is no budget. */
  readonly free?: number | null;
  /** Train steps whose rows are in memory at once. */
  readonly keptSteps: number;
  /** Parameters of the last step of a kind before this one, where there is one and they are known. */
  earlier(uses: string): Readonly<Record<string, unknown>> | null;
}

/** The cost of one run of a step. */
export interface Cost {
  /** Floating-point operations. */
  readonly flops: number;
  /** Train steps it takes. */
  readonly trainSteps: number;
  /** The shape of what it computes, under a name. */
  readonly shape?: { readonly name: string; readonly text: string };
  /** Bytes that stay when it has ended: a further model. */
  readonly held?: number;
  readonly peak: Peak;
}

/** The most that a step holds at once. */
export interface Peak {
  /** The parameter that decides it. */
  readonly key: string;
  /** Besides the process and the model that trains. */
  readonly bytes: number;
  readonly what: string;
  readonly remedy: string;
  /** What a memory budget decided: the name of the option in whose place, and its value. */
  readonly chosen?: { readonly option: string; readonly value: number };
}

/** Operations per parameter for a token that is sampled, and for one that is trained on. */
export const FLOPS = { sampled: 2, trained: 6 } as const;

/**
 * Operations to train on one token: 2 per parameter forward, 2 for what goes back through it, 2 for the gradient of what
 * trains, and with `recompute` 2 for the second forward pass.
 */
export function trainingFlops(
  { parameters, adapter = null }: Pick<CostFacts, "parameters" | "adapter">,
  { recompute = false }: { readonly recompute?: boolean | undefined },
): number {
  const own = adapter === null ? parameters : adapter.layout.count;
  const read = adapter === null ? parameters : parameters + own;
  return 2 * (2 * read + own + (recompute ? read : 0));
}

/** The images that a pass over so many prompts computes: of one that has no gradient nothing but features. */
export function passImages(
  { config: { vision }, images = null }: Pick<CostFacts, "config" | "images">,
  prompts: number,
  reads: "gradient" | "values" = "gradient",
): { readonly images?: ImageShape } {
  if (vision === null || images === null) return {};
  return { images: loadShape(reads === "values" ? { ...images, stage: "features" } : images, prompts, vision) };
}
