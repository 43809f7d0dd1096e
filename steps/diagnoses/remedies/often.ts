/** Changes that several causes ask for. @module */
import type { Patch } from "./patch.ts";

/** Smaller steps: at most the usual ones. */
export const SMALLER_STEPS = {
  step: "apply_update",
  key: "learning_rate",
  mul: 0.3,
  usual: true,
  min: 1e-8,
} as const satisfies Patch;

/** The same as an experiment, which a usual rate stands as well. */
export const SMALLER_TRIAL = {
  step: "apply_update",
  key: "learning_rate",
  mul: 0.3,
  usual: true,
  share: 1,
  min: 1e-8,
} as const satisfies Patch;

/** After a fall from a level that was reached: a tenth of the rate it fell at, which a usual one stands as well, at most the usual one. */
export const AFTER_FALL = {
  step: "apply_update",
  key: "learning_rate",
  mul: 0.1,
  usual: true,
  share: 1,
  min: 1e-8,
} as const satisfies Patch;

/** A stronger pull to the reference policy, which there must be. */
export const MORE_KL = [
  { step: "apply_update", key: "kl_coef", mul: 2, min: 0.01, max: 0.5 },
  { step: "load_model", key: "reference", where: "none", set: "copy" },
  { option: "kl_in_loss", set: true }, // verl's weight alone does nothing
] as const satisfies readonly Patch[];

/** Nothing that pays for randomness. */
export const NO_BONUS = { step: "apply_update", key: "entropy_coef", set: 0 } as const satisfies Patch;

/** Rewards of the usual size. */
export const CLIPPED_REWARDS = {
  step: "compute_advantages",
  key: "reward_clip",
  set: [-1, 1],
} as const satisfies Patch;

/** The policy as it is: what is sampled is what is trained. */
export const PLAIN_SAMPLING = [
  { step: "sample_groups", key: "temperature", set: 1 },
  { step: "sample_groups", key: "top_p", set: 1 },
  { step: "sample_groups", key: "top_k", set: 0 },
] as const satisfies readonly Patch[];
