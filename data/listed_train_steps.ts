/** Train steps that a finding lists of a fault that goes on: the window in which a run of ours is diagnosed. @module */
export const LISTED = 128;
