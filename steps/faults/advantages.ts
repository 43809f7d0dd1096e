/** Faults of the step `compute_advantages`: advantages that do not belong to their completions. @module */
import { shuffle } from "../../data/random.ts";
import { changed } from "./change.ts";
import { defineFault, NO_PARAMS } from "./fault.ts";

const step = "compute_advantages";

export const ADVANTAGE_FAULTS = {
  permuted_advantages: defineFault({
    about: "Give advantages to other completions of the batch",
    step,
    causes: ["group_integrity"],
    rule: "exact",
    lookAlike: "grpo",
    params: NO_PARAMS,
    after: (_, result, context) =>
      changed(result, "completions", (column) => ({
        advantage: shuffle(column<number>("advantage"), context.seed, "fault", context.trainStep),
      })),
  }),
  flipped_advantages: defineFault({
    about: "Flip the sign of the advantages",
    step,
    causes: ["group_integrity"],
    rule: "exact",
    lookAlike: "penalties",
    params: NO_PARAMS,
    after: (_, result) =>
      changed(result, "completions", (column) => ({ advantage: column<number>("advantage").map((value) => -value) })),
  }),
  uncentred_advantages: defineFault({
    about: "Forget to subtract the group's mean",
    step,
    causes: ["group_integrity"],
    rule: "exact",
    lookAlike: "grpo",
    params: NO_PARAMS,
    after: (_, result) => changed(result, "completions", (column) => ({ advantage: column<number>("reward") })),
  }),
} as const;
