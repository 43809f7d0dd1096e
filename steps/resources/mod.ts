/** The resources a run holds besides its tables. @module */
import type { Critic } from "./critic.ts";
import type { PolicyOptimizer } from "./optimizer.ts";
import type { Policy } from "./policy.ts";
import type { Reference } from "./reference.ts";
import type { RewardModel } from "./reward_model.ts";

/** Closed union of resources; the engine saves and restores each by its `Resource` interface. */
export interface Resources {
  policy: Policy;
  reference: Reference;
  optimizer: PolicyOptimizer;
  critic: Critic;
  reward_model: RewardModel;
}
