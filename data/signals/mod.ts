/** Signals that several diagnoses share: pure functions over rows. @module */
export { expectedLoss, type LossForm } from "./expected_loss.ts";
export { expectedZeroSpread, groupRows, uniqueFraction, zeroSpreadFraction } from "./group_spread.ts";
export { exponentialAverage, firstNonFinite, median, robustZ, slope } from "./series.ts";
