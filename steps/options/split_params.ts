/** The option `splits`: which share of the rows each split gets. @module */
import { z } from "zod";

const fraction = z.number().min(0).max(1);

export const splits = z.strictObject({
  train: fraction.default(0.8),
  validation: fraction.default(0.1),
  held_out: fraction.default(0.1),
}).prefault({}).describe("fractions of the splits; they add up to 1");

const SUM_TOLERANCE = 1e-9; // Fractions such as 0.7, 0.2 and 0.1 do not add up to 1 in binary.

/** What is wrong with the fractions, or null. */
export function splitProblem({ train, validation, held_out }: z.output<typeof splits>): string | null {
  const sum = train + validation + held_out;
  return Math.abs(sum - 1) > SUM_TOLERANCE ? `the fractions add up to ${sum}, want 1` : null;
}
