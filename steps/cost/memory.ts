/**
 * How much memory steps take at their peak, from the model's sizes and the tokens they compute at once.
 *
 * Fitted to measured peaks of resident memory, from 250 MB to 4.5 GB: tests/steps/cost/memory_test.ts holds them.
 * @module
 */
import type { ModelConfig } from "../../gpu/models/config.ts";
import type { BatchShape } from "../../gpu/models/forward.ts";
import { bucketLength } from "../../gpu/models/padding.ts";
import { cacheSize } from "../../gpu/sampling/kv_cache.ts";

/** Bytes of the process before any model: Deno, the library, the code. */
export const PROCESS_BYTES = 230e6;

/** Bytes of a model that trains: weights, gradient, two moments. */
export function trainedBytes(parameters: number): number {
  return 16 * parameters;
}

/** Bytes of a model beneath an adapter: its weights alone. */
export function frozenBytes(parameters: number): number {
  return 4 * parameters;
}

/**
 * Bytes of the float32 values that a forward and backward pass holds. Per token and layer about 10 of the width, 3.5 of the inner width and 8
 * rows of attention; per completion token 4 of the vocabulary. A group's prompt is computed once.
 */
export function trainingBytes(
  config: ModelConfig,
  { prompts, group, promptTokens, completionTokens }: BatchShape,
): number {
  const [before, after] = [bucketLength(promptTokens), bucketLength(completionTokens)];
  const layer = 10 * config.hiddenSize + 3.5 * config.intermediateSize + 8 * config.heads * (before + after);
  const completions = prompts * group * after;
  return 4 * (config.layers * layer * (completions + prompts * before) + 4 * config.vocabSize * completions);
}

/**
 * The keys and values of every layer for rows that are decoded at once, and the probabilities of their next token; a
 * quarter more while rows move together.
 */
export function decodingBytes(
  config: ModelConfig,
  { prompts, group, promptTokens, completionTokens }: BatchShape,
): number {
  const capacity = bucketLength(promptTokens + completionTokens);
  return 5 * prompts * group * (cacheSize(config, 1, capacity) + 2 * config.vocabSize);
}

/** Rows of the table completions that stay in memory: texts, numbers and four lists per token. */
export function rowsBytes(rows: number, completionTokens: number): number {
  return rows * (4500 + 16 * completionTokens);
}
