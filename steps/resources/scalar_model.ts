/** Models with a scalar head on the body of a language model, and their state while they train: critics, reward models. @module */
import { normals } from "../../data/random.ts";
import type { ModelConfig } from "../../gpu/models/config.ts";
import { SCORE } from "../../gpu/models/parameters.ts";
import { LanguageModel } from "../../gpu/language_model.ts";
import type { Runtime } from "../../gpu/session.ts";
import type { NamedArray } from "../../gpu/weights/weights.ts";
import { baseKey, modelTensors, requireBase } from "./adapter.ts";
import { momentsState, restoreMoments } from "./optimizer.ts";
import { stateArray, weightsState } from "./policy.ts";
import type { ResourceState } from "./resource.ts";

const LANGUAGE_HEAD = "lm_head.weight";

/** What a model with a scalar head is made of. */
export interface ScalarSource {
  /** Of the body: its own head, if any, is left out. */
  readonly config: ModelConfig;
  readonly tensors: ReadonlyMap<string, NamedArray>;
  /** Draws the head where the tensors have none. */
  readonly seed: number;
  readonly stream: string;
}

/**
 * A head [1, D], normal with standard deviation 1 / (D + 1), so that values start near 0 (OpenRLHF models/model.py
 * `_get_critic_model`; verl keeps transformers' 0.02).
 */
export function freshHead(width: number, seed: number, stream: string): NamedArray {
  return { shape: [1, width], data: normals(seed, stream, width, 0, 0).map((x) => x / (width + 1)) };
}

/** The body of `tensors` with a scalar head: theirs, or a fresh one. */
export function scalarModel(runtime: Runtime, { config, tensors, seed, stream }: ScalarSource): LanguageModel {
  const model = LanguageModel.create(runtime, { ...config, head: "scalar" }), width = config.hiddenSize;
  const head = tensors.get(SCORE) ?? freshHead(width, seed, stream);
  const named = new Map(tensors);
  named.delete(LANGUAGE_HEAD);
  named.set(SCORE, head);
  try {
    model.weights.fromHuggingFace(named);
  } catch (error) {
    model.release();
    throw error;
  }
  return model;
}

/** Puts the body of a policy into a model with a scalar head, whose own head stays. */
export function takeBody(model: LanguageModel, policy: LanguageModel): void {
  const named = modelTensors(policy);
  named.delete(LANGUAGE_HEAD);
  named.set(SCORE, model.weights.toHuggingFace().get(SCORE)!);
  model.weights.fromHuggingFace(named);
}

/** Weights and moments; of an adapter also which base it is upon. */
export async function trainedState(model: LanguageModel): Promise<ResourceState> {
  const { json, arrays } = await momentsState(model), base = baseKey(model);
  return {
    json: { ...json, ...(base === null ? {} : { base }) },
    arrays: new Map([...weightsState(model, {}).arrays, ...arrays]),
  };
}

/** Restores bitwise what `trainedState` gave. */
export async function restoreTrained(model: LanguageModel, state: ResourceState): Promise<void> {
  requireBase(model, state.json);
  model.weights.upload(stateArray(state.arrays, "weights", model.weights.layout.size));
  await restoreMoments(model, state);
}
