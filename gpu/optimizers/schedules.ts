/** Learning-rate schedules: a factor of the peak rate for every update. Source: transformers `optimization.py`. @module */

/** Progress after warm-up, 0 at its end and 1 at the last update (greater past it), to the factor. */
type Decay = (progress: number) => number;

export const SCHEDULES = {
  constant: () => 1,
  linear: (progress) => Math.max(0, 1 - progress),
  /** Half a cosine; unlike transformers' it stays at 0 past the end instead of rising again. */
  cosine: (progress) => Math.max(0, 0.5 * (1 + Math.cos(Math.PI * Math.min(progress, 1)))),
} as const satisfies Record<string, Decay>;

export type Schedule = keyof typeof SCHEDULES;

/**
 * Learning rate of update `update` (from 0).
 *
 * peak      learning rate after warm-up
 * updates   updates of the whole run
 * warmup    updates over which the rate grows linearly from 0
 * floor     what the schedule falls to, as a fraction of the peak (transformers `cosine_with_min_lr`)
 */
export function learningRate(
  schedule: Schedule,
  update: number,
  { peak, updates, warmup = 0, floor = 0 }: { peak: number; updates: number; warmup?: number; floor?: number },
): number {
  if (update < warmup) return peak * update / Math.max(1, warmup);
  return peak * (floor + (1 - floor) * SCHEDULES[schedule]((update - warmup) / Math.max(1, updates - warmup)));
}
