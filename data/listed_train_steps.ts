/** Train steps that a finding lists of a fault that goes on: the window in which a run of ours is diagnosed. @module */
export const LISTED = 128;

/** Train steps of a list that is cut: how many there are, and the last of them. */
export interface CutSteps {
  readonly count: number;
  readonly until: number;
}
