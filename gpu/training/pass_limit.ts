/** How many prompts a pass reads at once: as many as are asked for, and as the memory budget of the run holds. @module */
import type { BatchShape } from "../models/forward.ts";
import type { Model } from "../models/model.ts";
import type { Loss } from "../losses/mod.ts";
import { atOnce, type MemoryBudget } from "../ort/memory_budget.ts";
import { passBytes, type PassKind } from "./pass_bytes.ts";
import type { PassLimits } from "./train_batch.ts";

/**
 * Prompts per pass of a batch of this shape. What a step asks for is a bound of its own; of a gradient it is taken as it
 * is. Throws a RangeError where the gradient of one prompt with its group is beyond the budget.
 */
export function passLimit(
  model: Model,
  shape: BatchShape,
  { promptsPerPass = shape.prompts, recompute = false, headBytes, loss }: PassLimits & { readonly loss?: Loss },
  reads: Required<PassKind>["reads"],
  /** The images of so many of its prompts. */
  imagesOf: (prompts: number) => Pick<BatchShape, "images"> = () => ({}),
): number {
  const { budget } = model.weights.runtime, asked = promptsPerPass < shape.prompts;
  if (budget === null || (asked && reads === "gradient")) return promptsPerPass;
  const { adapter = null, base = null } = model.adapted ?? {}, bits = (base ?? model.weights).bits;
  const entropy = loss !== undefined && "entropy" in loss && loss.entropy !== undefined;
  const kind = { reads, recompute, headBytes, adapter, bits, entropy };
  const bytesOf = (prompts: number) => passBytes(model.config, { ...shape, ...imagesOf(prompts), prompts }, kind);
  const fits = atOnce(budget.free, Math.min(promptsPerPass, shape.prompts), bytesOf);
  if (fits === 0 && reads === "gradient") throw beyond(budget, bytesOf(1), shape);
  // Without a gradient one prompt takes less than with it, for which there must be room.
  return Math.max(fits, 1);
}

function beyond(budget: MemoryBudget, needed: number, shape: BatchShape): RangeError {
  const { group, promptTokens, completionTokens } = shape, mb = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
  return new RangeError(
    `Cannot compute the gradient of a prompt of ${promptTokens} tokens with ${group} completions of ${completionTokens} ` +
      `within memory of ${mb(budget.bytes)}: it takes ${mb(needed)} and the models leave ${
        mb(Math.max(budget.free, 0))
      }, want memory of ` +
      `${mb(budget.wantedFor(needed))} at least; set recompute: true, shorter completions, or a larger memory`,
  );
}
