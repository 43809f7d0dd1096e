/** What one update reads beside the rollout's own columns: masks and draws, made just before it. @module */
import { uniform } from "../../data/random.ts";
import type { LanguageModel, PassLimits, TrainBatch } from "../../gpu/language_model.ts";
import type { KlCovLoss } from "../../gpu/losses/kl_cov.ts";
import type { RolloutLoss } from "../../gpu/losses/objective.ts";
import { tieOrder } from "../../gpu/losses/tie_order.ts";
import { topEntropyMask } from "./top_entropy.ts";

interface BatchRequest {
  readonly loss: RolloutLoss;
  /** Share of the update's tokens that the objective learns from. */
  readonly topEntropyFraction: number;
  /** How log-probs are taken. */
  readonly passes: PassLimits & { readonly temperature: number };
  readonly draws: { readonly seed: number; readonly trainStep: number; readonly update: number };
}

/**
 * The batch with the inputs that its loss reads: `entropy_mask`, for which the policy reads the batch once more before the
 * update, `draws`, a random number per token, and `tie_order`, which of tokens are taken where all keys are equal.
 */
export async function updateBatch(
  model: LanguageModel,
  batch: TrainBatch,
  { loss, topEntropyFraction, passes, draws }: BatchRequest,
): Promise<TrainBatch> {
  const inputs = { ...batch.inputs };
  if (loss.topEntropy) {
    const { statistics } = await model.logprobs(batch, { ...passes, statistics: ["entropy"] });
    inputs["entropy_mask"] = topEntropyMask(statistics.get("entropy")!, batch.completionMask!, topEntropyFraction);
  }
  if (loss.objective === "clip_cov") inputs["draws"] = drawsOf(batch, draws);
  if (loss.objective === "kl_cov") {
    inputs["tie_order"] = tieOrder(batch.completionMask!, (loss as KlCovLoss).fraction);
  }
  return { ...batch, inputs };
}

/** A random number per token: a function of the seed, the train step and the update alone. */
function drawsOf({ completions }: TrainBatch, { seed, trainStep, update }: BatchRequest["draws"]): Float32Array[] {
  const stream = `apply_update.${update}`;
  return completions.map(({ length }, row) =>
    Float32Array.from({ length }, (_, t) => uniform(seed, stream, trainStep, row, t))
  );
}
