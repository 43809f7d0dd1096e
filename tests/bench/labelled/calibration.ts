/** Stated probabilities of first causes against how often they were right. @module */

/** Bounds of the bins: a probability belongs to the last bound that it reaches. */
const BOUNDS = [0, 0.5, 0.7, 0.85, 0.95];

/** A first cause as it was stated. */
export interface Stated {
  readonly probability: number;
  readonly isRight: boolean;
}

/** Per bin how many were stated, how many of them right, and the mean of what was stated. */
export function calibration(all: readonly Stated[]) {
  return BOUNDS.map((from, i) => {
    const next = BOUNDS[i + 1] ?? Infinity;
    const own = all.filter(({ probability }) => probability >= from && probability < next);
    return {
      from,
      to: Math.min(1, next),
      findings: own.length,
      right: own.filter(({ isRight }) => isRight).length,
      stated: own.reduce((sum, { probability }) => sum + probability, 0) / Math.max(1, own.length),
    };
  });
}
