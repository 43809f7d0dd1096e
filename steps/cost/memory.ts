/**
 * How much memory steps take at their peak, from the model's sizes and the tokens they compute at once.
 *
 * Held against measured peaks of resident memory: tests/steps/cost/memory_test.ts, and `bench models --only memory`.
 * @module
 */
import { momentBytes, type OptimizerStateKind } from "../../gpu/optimizers/moments.ts";

export { decodingBytes } from "../../gpu/sampling/decode_bytes.ts";
export { atOnce, budgetFor, PROCESS_BYTES, usable } from "../../gpu/ort/memory_budget.ts";
export { passBytes as trainingBytes } from "../../gpu/training/pass_bytes.ts";

/** Bytes of a model that trains: weights, gradient, two moments. */
export function trainedBytes(parameters: number, state: OptimizerStateKind = "float32"): number {
  return 8 * parameters + momentBytes(state, parameters);
}

/** Bytes of a model beneath an adapter: its weights alone. */
export function frozenBytes(parameters: number): number {
  return 4 * parameters;
}

/** Rows of the table completions that stay in memory: texts, numbers and four lists per token. */
export function rowsBytes(rows: number, completionTokens: number): number {
  return rows * (4500 + 16 * completionTokens);
}
