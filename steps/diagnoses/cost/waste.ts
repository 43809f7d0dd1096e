/**
 * What can be lost of a run from the onset of its first finding on: the one definition of "taught nothing".
 *
 * A rollout is lost as a whole where the cause means that nothing is learned any more, or the wrong thing; else the share
 * that the log shows: groups without spread, completions cut off, tokens clipped, train steps that were hit.
 * @module
 */

/** How a loss is measured, and what it is called after "45 % of the rollouts". */
export const WASTES = {
  /** Weights do not move, moves lead nowhere, or what was learned is lost again: every rollout. */
  all: { of: "rollouts", said: "taught nothing" },
  /** The policy learns, and not what the task wants: every rollout. */
  wrong: { of: "rollouts", said: "taught something else than the task" },
  /** Advantages are 0 in groups whose rewards are all equal: their share. */
  flat: { of: "rollouts", said: "taught nothing" },
  /** A completion without an end is judged by what it could not finish: the share at the cap. */
  cut: { of: "rollouts", said: "were cut off before their end" },
  /** A clipped ratio has no gradient: the share of the tokens. */
  clipped: { of: "tokens", said: "were clipped and taught nothing" },
  /** Tokens beyond the mean length of the onset: what the completions grew by without gain. */
  longer: { of: "tokens", said: "brought nothing" },
  /** Only the train steps that the finding lists. */
  listed: { of: "train steps", said: "were hit" },
  /** Time beyond the median train step of before. */
  slow: { of: "hours", said: "were spent waiting" },
  /** It costs nothing that a log shows. */
  none: null,
} as const;

export type Waste = keyof typeof WASTES;
