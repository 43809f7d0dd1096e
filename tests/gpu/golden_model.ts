/** Opens a model of tests/models for tests of gpu/. @module */
import { modelConfig } from "../../gpu/models/config.ts";
import { LanguageModel } from "../../gpu/language_model.ts";
import { openRuntime, type Runtime } from "../../gpu/session.ts";
import { readJson, readModel } from "./safetensors.ts";

export async function cpuRuntime(): Promise<Runtime> {
  return await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
}

/** Runs `body` with a loaded model and releases everything. */
export async function withModel(name: string, body: (model: LanguageModel) => Promise<void>): Promise<void> {
  const runtime = await cpuRuntime();
  const model = LanguageModel.create(runtime, modelConfig(readJson(`models/${name}/config.json`)));
  try {
    model.weights.fromHuggingFace(readModel(name));
    await body(model);
  } finally {
    model.release();
    runtime.release();
  }
}

/** Rows without the positions where the mask is 0. */
export function unmasked(rows: readonly (readonly number[])[], masks: readonly (readonly number[])[]): number[][] {
  return rows.map((row, r) => row.filter((_, t) => masks[r]![t]));
}

/** L2 norm. */
export function norm(values: ArrayLike<number>): number {
  return Math.sqrt(Array.from(values).reduce((sum, x) => sum + x * x, 0));
}
