/** The objectives: what training minimises, one file each. @module */
import { clipped } from "./clipped.ts";
import { crossEntropy } from "./cross_entropy.ts";
import type { Objective, Phase } from "./objective.ts";

export type { ClippedLoss } from "./clipped.ts";

export const OBJECTIVES = { clipped, cross_entropy: crossEntropy } as const satisfies Record<string, Objective<never>>;

type Objectives = typeof OBJECTIVES;
type ObjectiveName = keyof Objectives;
type LossOf<Name extends ObjectiveName> = Parameters<Objectives[Name]["inputs"]>[0];
/** An objective by name with its settings. */
export type Loss = { [Name in ObjectiveName]: LossOf<Name> }[ObjectiveName];

/** The names of the objectives that a kind of train step can use. */
type ObjectiveOf<Of extends Phase> = {
  [Name in ObjectiveName]: Objectives[Name]["phase"] extends Of ? Name : never;
}[ObjectiveName];
export function objectivesOf<Of extends Phase>(phase: Of): ObjectiveOf<Of>[] {
  const names = Object.keys(OBJECTIVES) as ObjectiveName[];
  return names.filter((name) => OBJECTIVES[name].phase === phase) as ObjectiveOf<Of>[];
}

/** The entry that a loss names, for the settings of any. */
export function objectiveOf(loss: Loss): Objective<Loss> {
  return OBJECTIVES[loss.objective] as Objective<Loss>;
}
