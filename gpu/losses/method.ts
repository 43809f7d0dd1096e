/** What is told of a method: its formula, where it comes from, and what the other systems call it. @module */

/** Systems whose methods these are. */
type MethodSystem = "trl" | "verl" | "openrlhf" | "visual_rft";

/** What the page of methods prints of an objective, an estimator, an aggregation, an advantage. */
export interface MethodNotes {
  /** In plain text: lp, old, ref log-probs; A advantage; m mask; r = exp(lp - old). */
  readonly formula: string;
  /** Paper, and repository with function. */
  readonly source: string;
  /** Option and value in each system that has it, with that system's own defaults. */
  readonly names: Readonly<Partial<Record<MethodSystem, string>>>;
}
