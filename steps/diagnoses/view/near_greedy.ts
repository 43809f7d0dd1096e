/** Sampling settings at which the most likely token is taken nearly always: for the doctor and the preflight. @module */

/** At this temperature a token with a tenth of the best one's probability is never drawn: 0.1^(1/0.05) = 1e-20. */
export const COLD_TEMPERATURE = 0.05;
export const NARROW_TOP_P = 0.02; // Probability mass that one token nearly always has alone.

/** By option. A top_p of 0 is not in force: some systems write it for "off". */
export const NEAR_GREEDY = {
  temperature: (value: number): boolean => value <= COLD_TEMPERATURE,
  top_k: (value: number): boolean => value === 1,
  top_p: (value: number): boolean => value > 0 && value <= NARROW_TOP_P,
} as const;

export function isNearGreedyOption(option: string | null): option is keyof typeof NEAR_GREEDY {
  return option !== null && Object.hasOwn(NEAR_GREEDY, option);
}
