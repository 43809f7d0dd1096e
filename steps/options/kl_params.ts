/** Options of a KL to the reference that costs something, in the loss or in the reward. @module */
import { z } from "zod";
import { withoutEffect } from "./without_effect.ts";

const BOUND = z.number().positive().nullable().optional();

/** What a KL costs and how far it may go; its estimators and their default are the step's. */
export const KL_PARAMS = {
  kl_coef: z.number().min(0).default(0).describe(
    "what a nat of the KL to the reference costs: added to the loss in apply_update, taken off the reward (old_logprobs - " +
      "ref_logprobs) in compute_advantages",
  ),
  kl_difference_bound: BOUND.describe(
    "bound of the log-ratio to the reference before the estimate, ± nats (verl: 20 for k3), null = none; the preset's, " +
      "else none, if absent",
  ),
  kl_bound: BOUND.describe(
    "bound of the estimate, ± nats (verl: 10 for k3; OpenRLHF: 10), null = none; the preset's, else none, if absent",
  ),
};

/** How kl_coef follows a target. */
export const KL_TARGET_PARAMS = {
  kl_target: z.number().positive().optional().describe(
    "KL that kl_coef follows from train step to train step, nats per token; kl_coef is then its first value",
  ),
  kl_horizon: z.number().positive().default(10_000).describe("completions over which kl_coef adapts to kl_target"),
};

const SHAPE = z.strictObject({ kl_coef: KL_PARAMS.kl_coef, ...KL_TARGET_PARAMS });
export type KlTargetOptions = z.output<typeof SHAPE>;

/** What is wrong with a target together with its coefficient. */
export function klTargetProblems({ kl_coef, kl_target, kl_horizon }: KlTargetOptions): string[] {
  if (kl_target === undefined) {
    return withoutEffect({ kl_horizon }, KL_TARGET_PARAMS, ["kl_horizon"], "kl_target is not set, want one");
  }
  return kl_coef > 0 ? [] : ["Cannot adapt kl_coef to kl_target: its first value is 0, want it above 0"];
}
