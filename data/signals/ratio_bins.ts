/** The bins of the column `ratio_histogram`: who counts and who draws agree on them. @module */

const COUNT = 41, WIDTH = 0.05; // Of the logarithm: 0.95 and 1.05 are neighbours of 1.
const MIDDLE = (COUNT - 1) / 2;

export const RATIO_BINS = {
  count: COUNT,
  /** The bin of a log-ratio; the outer ones hold what is beyond. NaN has none. */
  binOf(logRatio: number): number {
    return Math.min(COUNT - 1, Math.max(0, Math.round(logRatio / WIDTH) + MIDDLE));
  },
  /** The ratios between which a bin lies. */
  edgesOf(bin: number): { readonly from: number; readonly to: number } {
    return { from: Math.exp((bin - MIDDLE - 0.5) * WIDTH), to: Math.exp((bin - MIDDLE + 0.5) * WIDTH) };
  },
} as const;
