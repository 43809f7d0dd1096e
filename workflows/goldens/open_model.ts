/** Opens a model that goldens name, as `load_model` does, on one thread of the CPU. @module */
import { readModelConfig } from "../../data/hub/config.ts";
import { LanguageModel } from "../../gpu/language_model.ts";
import { modelConfig } from "../../gpu/models/config.ts";
import { openRuntime } from "../../gpu/session.ts";
import { readTensors } from "../../steps/resources/model_source.ts";
import { loadedAdapter } from "../../steps/resources/adapter.ts";

/**
 * What `body` gives for the model of a folder, with a PEFT adapter that is merged into it or that is to train; the model
 * is released afterwards.
 */
export async function withModel<Result>(
  folder: string,
  body: (model: LanguageModel) => Promise<Result>,
  { merge = null, train = null }: { readonly merge?: string | null; readonly train?: string | null } = {},
): Promise<Result> {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
  try {
    const base = LanguageModel.create(runtime, modelConfig(readModelConfig(folder)));
    let model = base;
    try {
      base.weights.fromHuggingFace(readTensors(folder, merge));
      if (train !== null) model = loadedAdapter(base, train, 0);
      return await body(model);
    } finally {
      model.release();
    }
  } finally {
    runtime.release();
  }
}

/** Rows without the positions where the mask is 0. */
export function unmasked(rows: readonly ArrayLike<number>[], masks: readonly (readonly number[])[]): number[][] {
  return rows.map((row, r) => Array.from(row).filter((_, t) => masks[r]![t]));
}

/** A [B, T] tensor as rows without masked positions. */
export function unmaskedRows(data: Float32Array, masks: readonly (readonly number[])[]): number[][] {
  const width = masks[0]!.length;
  return unmasked(masks.map((_, r) => data.subarray(r * width, (r + 1) * width)), masks);
}

/** L2 norm of every parameter's gradient, by name. */
export function gradientNorms(model: LanguageModel): Record<string, number> {
  return Object.fromEntries([...model.weights.namedGradients()].map(([name, { data }]) => [name, norm(data)]));
}

/** L2 norm. */
export function norm(values: ArrayLike<number>): number {
  return Math.sqrt(Array.from(values).reduce((sum, x) => sum + x * x, 0));
}
