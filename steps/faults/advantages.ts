/** Faults of the step `compute_advantages`: advantages that do not belong to their completions. @module */
import { shuffle } from "../../data/random.ts";
import { faultsOf } from "./fault.ts";

const { rewriting } = faultsOf("compute_advantages");

export const ADVANTAGE_FAULTS = {
  permuted_advantages: rewriting("completions", {
    about: "Give advantages to other completions of the batch",
    causes: ["group_integrity"],
  }, (column, { context }) => ({
    advantage: shuffle(column<number>("advantage"), context.seed, "fault", context.trainStep),
  })),
  flipped_advantages: rewriting("completions", {
    about: "Flip the sign of the advantages",
    causes: ["group_integrity"],
    lookAlike: "penalties",
  }, (column) => ({ advantage: column<number>("advantage").map((value) => -value) })),
  uncentred_advantages: rewriting("completions", {
    about: "Forget to subtract the group's mean",
    causes: ["group_integrity"],
  }, (column) => ({ advantage: column<number>("reward") })),
} as const;
