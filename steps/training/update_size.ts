/** How far an update moved the weights, in units that do not depend on model size. @module */
import type { UpdateRule } from "../../gpu/optimizers/adamw.ts";
import type { UpdateResult } from "../../gpu/optimizers/optimizer.ts";

/**
 * update_size      ‖Δθ‖ / (learning rate · √parameters): about 1 for Adam's first steps; null at learning rate 0, and where nothing trains and
 *                  under SGD, where it is the gradient's norm over √parameters and says nothing
 * relative_update  ‖Δθ‖ / ‖θ‖; NaN if some weight is not finite; null if all are 0
 */
export function updateSize(
  { updateNorm, weightNorm }: Pick<UpdateResult, "updateNorm" | "weightNorm">,
  learningRate: number,
  trainable: number,
  rule: UpdateRule = "adamw",
): { update_size: number | null; relative_update: number | null } {
  const isAdam = rule === "adamw" || rule === "adam";
  return {
    update_size: isAdam && learningRate > 0 && trainable > 0
      ? updateNorm / (learningRate * Math.sqrt(trainable))
      : null,
    relative_update: weightNorm === 0 ? null : Number.isFinite(weightNorm) ? updateNorm / weightNorm : NaN,
  };
}
