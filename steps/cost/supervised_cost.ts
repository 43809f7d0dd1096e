/** What the steps cost that train on rows of a table: fine_tune, train_preferences, train_reward_model. @module */
import type { BatchShape } from "../../gpu/models/forward.ts";
import type { ModelConfig } from "../../gpu/models/config.ts";
import { type Cost, type CostFacts, passImages, type RowTokens, trainingFlops } from "./cost.ts";
import { trainingBytes } from "./memory.ts";
import { microBatch } from "./micro_batch.ts";
import { PROMPTS_PER_PASS } from "../resources/policy.ts";

/** Options that decide it, of each step those that it has. */
interface SupervisedOptions {
  readonly max_updates: number;
  readonly batch_size: number;
  readonly gradient_accumulation?: number;
  readonly prompts_per_pass?: number | undefined;
  readonly max_length?: number | undefined;
  readonly packing?: number | undefined;
  readonly recompute?: boolean | undefined;
}

interface SupervisedRows {
  /** The step. */
  readonly name: string;
  /** Rows of the table, as a person says it. */
  readonly rows: string;
  /** Completions of a row. */
  readonly group: number;
  /** The longest row, before it is cut off. */
  readonly longest: RowTokens;
  /** Prompts train as well: all tokens but the first are completion. */
  readonly whole?: boolean;
  /** Tokens that are appended to a completion. */
  readonly appended?: number;
  /** What computes the loss, where that is not the policy's own configuration. */
  readonly config?: ModelConfig;
  /** Stays besides a pass, and after it. */
  readonly held?: number;
  /** Completions per row of each pass that only reads log-probs before an update: of the reference, of a KL. */
  readonly readBefore?: readonly number[];
}

/** As if every row were as long as the longest. */
export function supervisedCost(
  given: SupervisedOptions,
  facts: CostFacts,
  kind: SupervisedRows,
): Cost {
  const { config, parameters, adapter, bits, free } = facts;
  const { max_updates, batch_size, gradient_accumulation = 1, prompts_per_pass: most, recompute = false } = given;
  const { name, rows, group } = kind, { promptTokens, completionTokens } = shapeOf(given, config, kind);
  const tokens = promptTokens + group * completionTokens, updated = gradient_accumulation * batch_size;
  const shape = { group, promptTokens, completionTokens };
  // A model of another head is the adapter's and the base's no more.
  const kindOf = kind.config ? { recompute } : { recompute, adapter, bits };
  // The allocator keeps what such a pass took, in pieces that a larger one has no use for.
  const readRows = Math.min(batch_size, PROMPTS_PER_PASS);
  const read = (kind.readBefore ?? []).reduce(
    (sum, group) =>
      sum +
      trainingBytes(
        kind.config ?? config,
        { ...shape, group, prompts: readRows, ...passImages(facts, readRows, "values") },
        { ...kindOf, reads: "values" },
      ),
    0,
  );
  const beside = (kind.held ?? 0) + read;
  const { count: prompts, bytes, chosen } = microBatch({ free: free == null ? null : free - beside }, {
    option: "prompts_per_pass",
    asked: most,
    most: batch_size,
    bytesOf: (prompts) =>
      trainingBytes(kind.config ?? config, { ...shape, prompts, ...passImages(facts, prompts) }, kindOf),
  });
  return {
    flops: trainingFlops({ parameters, adapter }, { recompute }) * max_updates * updated * tokens,
    trainSteps: max_updates,
    shape: { name, text: `[${updated}, ${tokens}] tokens per update at most` },
    ...(kind.held === undefined ? {} : { held: kind.held }),
    peak: {
      key: most === undefined ? "batch_size" : "prompts_per_pass",
      bytes: bytes + read,
      ...(chosen ? { chosen } : {}),
      what: `${name} on ${prompts} ${rows} of up to ${tokens} tokens at once`,
      remedy: most === undefined ? "lower batch_size, or set prompts_per_pass" : "lower prompts_per_pass",
    },
  };
}

/** Tokens of a row as the graph reads it: cut off at max_length and the model's context, or packed. */
function shapeOf(
  { max_length = Infinity, packing }: SupervisedOptions,
  { maxPositions }: ModelConfig,
  { longest: { promptTokens, answerTokens }, whole = false, appended = 0 }: SupervisedRows,
): Pick<BatchShape, "promptTokens" | "completionTokens"> {
  if (packing !== undefined) return { promptTokens: 1, completionTokens: packing - 1 };
  const room = Math.max(Math.min(max_length, maxPositions - appended) - promptTokens, 1);
  const completionTokens = Math.min(answerTokens, room) + appended;
  return whole
    ? { promptTokens: 1, completionTokens: promptTokens + completionTokens - 1 }
    : { promptTokens, completionTokens };
}
