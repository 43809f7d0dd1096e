/** How far an update moved the weights, in units that do not depend on model size. @module */
import type { UpdateResult } from "../../gpu/optimizers/optimizer.ts";

/**
 * update_size      ‖Δθ‖ / (learning rate · √parameters): about 1 for Adam's first steps; null at learning rate 0
 * relative_update  ‖Δθ‖ / ‖θ‖; NaN if some weight is not finite; null if all are 0
 */
export function updateSize(
  { updateNorm, weightNorm }: Pick<UpdateResult, "updateNorm" | "weightNorm">,
  learningRate: number,
  trainable: number,
): { update_size: number | null; relative_update: number | null } {
  return {
    update_size: learningRate > 0 ? updateNorm / (learningRate * Math.sqrt(trainable)) : null,
    relative_update: weightNorm === 0 ? null : Number.isFinite(weightNorm) ? updateNorm / weightNorm : NaN,
  };
}
