/** A model as its passes see it, and what each of its graphs is built from. @module */
import type { Provider } from "../onnx/graph.ts";
import type { Tensor } from "../ort/runtime.ts";
import type { Adapter } from "../weights/adapter.ts";
import type { ParameterSource } from "../weights/graph_weights.ts";
import { weightInputs, type Weights } from "../weights/weights.ts";
import type { Rows } from "./padding.ts";
import type { ModelConfig } from "./config.ts";
import type { BatchImages } from "./vision/image_batch.ts";
import type { ImageInput } from "./vision/image_input.ts";
import type { ImageStage } from "./vision/tower.ts";

/** The place of a row of a matrix's inputs in a run: a key of draws. */
export interface DropoutPlace {
  readonly trainStep: number;
  /** Which matrix in which gradient of the train step: the same number draws of another stream. */
  readonly stream: string;
  /** Of the whole batch: the prompt, or the completion. */
  readonly row: number;
  /** From the row's first token. */
  readonly token: number;
}

/** Writes 1 into `keep` for the inputs that stay, 0 for those that are left out. */
export type KeepDraws = (place: DropoutPlace, keep: Uint8Array) => void;

/** An adapter with the frozen numbers that it adds to. */
export interface Adapted {
  readonly adapter: Adapter;
  readonly base: Weights;
  /** Says what dropout keeps; null where nothing draws. */
  readonly keep: KeepDraws | null;
}

/** What computes a model's images before its other graphs run. */
interface ModelImages {
  /** The first stage that an update changes. */
  readonly stage: ImageStage;
  batch(prompts: Rows, stage: ImageStage): Promise<BatchImages>;
  rows(image: ImageInput, stage: ImageStage): Promise<Float32Array>;
}

/** Its sizes and its numbers. */
export interface Model {
  readonly config: ModelConfig;
  /** What may train: all parameters, or with an adapter those of the adapter alone. */
  readonly weights: Weights;
  readonly adapted: Adapted | null;
  /** Of a model with a tower. */
  readonly images?: ModelImages | null;
}

export interface GraphOptions extends ParameterSource {
  readonly config: ModelConfig;
  readonly provider: Provider;
}

export function graphOptions({ config, weights, adapted }: Model): GraphOptions {
  const { layout, runtime } = weights;
  const { bits } = adapted?.base ?? weights;
  return { config, layout, adapter: adapted?.adapter ?? null, bits, provider: runtime.device };
}

/** The inputs `weight.<name>` of every graph: views, to be released by whoever asked. */
export function modelInputs({ weights, adapted }: Pick<Model, "weights" | "adapted">): Record<string, Tensor> {
  return { ...(adapted ? weightInputs(adapted.base, adapted.adapter.base) : {}), ...weightInputs(weights) };
}

/** Parameters that a forward pass reads, an adapter's among them. */
export function parameterCount({ weights, adapted }: Model): number {
  return weights.layout.count + (adapted?.adapter.base.count ?? 0);
}
