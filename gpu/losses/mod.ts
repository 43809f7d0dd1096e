/** The objectives: what training minimises, one file each. @module */
import { cispo } from "./cispo.ts";
import { clipCov } from "./clip_cov.ts";
import { clipped } from "./clipped.ts";
import { crossEntropy } from "./cross_entropy.ts";
import { dpo } from "./dpo.ts";
import { dppo } from "./dppo.ts";
import { dro } from "./dro.ts";
import { geoMean } from "./geo_mean.ts";
import { klCov } from "./kl_cov.ts";
import { kto } from "./kto.ts";
import { ktoVanilla } from "./kto_vanilla.ts";
import type { Objective } from "./objective.ts";
import { policyGradient } from "./policy_gradient.ts";
import { rewardPair } from "./reward_pair.ts";
import { sapo } from "./sapo.ts";
import { value } from "./value.ts";
import { vespo } from "./vespo.ts";

/** Those of `apply_update`. */
export const ROLLOUT_OBJECTIVES = {
  clipped,
  cispo,
  sapo,
  vespo,
  policy_gradient: policyGradient,
  dppo,
  dro,
  clip_cov: clipCov,
  kl_cov: klCov,
  geo_mean: geoMean,
} as const satisfies Record<string, Objective<never>>;

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
