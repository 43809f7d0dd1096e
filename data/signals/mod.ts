/** Signals that several diagnoses share: pure functions over rows. @module */
export { expectedLoss, type LossForm } from "./expected_loss.ts";
