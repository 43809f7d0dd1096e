/** The objectives: what training minimises, one file each. @module */
import { clipped } from "./clipped.ts";
import { crossEntropy } from "./cross_entropy.ts";
import { dpo } from "./dpo.ts";
import { kto } from "./kto.ts";
import { ktoVanilla } from "./kto_vanilla.ts";
import type { Objective } from "./objective.ts";
import { rewardPair } from "./reward_pair.ts";
import { value } from "./value.ts";

/** Those of `apply_update`. */
export const ROLLOUT_OBJECTIVES = { clipped } as const satisfies Record<string, Objective<never>>;

/** Those of `train_preferences`. */
export const PREFERENCE_OBJECTIVES = { dpo, kto, kto_vanilla: ktoVanilla } as const satisfies Record<
  string,
  Objective<never>
>;

export const OBJECTIVES = {
  ...ROLLOUT_OBJECTIVES,
  ...PREFERENCE_OBJECTIVES,
  cross_entropy: crossEntropy,
  reward_pair: rewardPair,
  value,
} as const satisfies Record<string, Objective<never>>;

type Objectives = typeof OBJECTIVES;
/** An objective by name with its settings. */
export type Loss = { [Name in keyof Objectives]: Parameters<Objectives[Name]["inputs"]>[0] }[keyof Objectives];

/** The entry that a loss names, for the settings of any. */
export function objectiveOf(loss: Loss): Objective<Loss> {
  return OBJECTIVES[loss.objective] as Objective<Loss>;
}

type RolloutObjectives = typeof ROLLOUT_OBJECTIVES;
export type RolloutObjectiveName = keyof RolloutObjectives;
export type RolloutMetric = { [Name in RolloutObjectiveName]: keyof RolloutObjectives[Name]["metrics"] }[
  RolloutObjectiveName
];

/** Every metric that some objective of rollouts reports. */
export const ROLLOUT_METRICS = [
  ...new Set(Object.values(ROLLOUT_OBJECTIVES).flatMap(({ metrics }) => Object.keys(metrics))),
] as RolloutMetric[];
