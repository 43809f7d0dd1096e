/** Faults of the step `compute_advantages`: advantages that do not belong to their completions. @module */
import type { ColumnTable } from "arquero";
import { shuffle } from "../../data/random.ts";
import { faultsOf } from "./fault.ts";

const { rewriting } = faultsOf("compute_advantages");

type Column = <T>(name: string) => T[];

/** Advantages per completion, and on each token where there is one per token. */
function everywhere(advantage: number[], column: Column, table: ColumnTable): Record<string, ArrayLike<unknown>> {
  if (!table.column("advantages")) return { advantage };
  const advantages = column<ArrayLike<number>>("advantages").map(({ length }, row) =>
    new Float32Array(length).fill(advantage[row]!)
  );
  return { advantage, advantages };
}

export const ADVANTAGE_FAULTS = {
  permuted_advantages: rewriting(
    "completions",
    {
      about: "Give advantages to other completions of the batch",
      causes: ["group_integrity"],
    },
    (column, { context, table }) =>
      everywhere(shuffle(column<number>("advantage"), context.seed, "fault", context.trainStep), column, table),
  ),
  flipped_advantages: rewriting("completions", {
    about: "Flip the sign of the advantages",
    causes: ["group_integrity"],
    lookAlike: "penalties",
  }, (column, { table }) => everywhere(column<number>("advantage").map((value) => -value), column, table)),
  uncentred_advantages: rewriting("completions", {
    about: "Forget to subtract the group's mean",
    causes: ["group_integrity"],
  }, (column, { table }) => everywhere(column<number>("reward"), column, table)),
} as const;
