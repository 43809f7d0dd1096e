/** The task `subtraction`: two numbers, plain digits. @module */
import { z } from "zod";
import { operandPairs } from "./rows/operand_pairs.ts";
import { defineTask } from "./task.ts";

const params = z.strictObject({
  digits: z.int().min(1).max(9).default(2).describe("digits of the longest operand"),
  negative: z.boolean().default(false).describe("also ask for negative differences"),
  max_prompts: z.int().min(1).max(1_000_000).default(20_000).describe(
    "all pairs if they are at most so many, else so many drawn (before negative ones are left out)",
  ),
});

/** Borrows of |a - b| in decimal. */
function borrows(a: number, b: number): number {
  let [big, small] = [Math.max(a, b), Math.min(a, b)];
  let count = 0;
  for (let borrow = 0; small > 0 || borrow > 0; big = Math.floor(big / 10), small = Math.floor(small / 10)) {
    borrow = (big % 10) - borrow < small % 10 ? 1 : 0;
    count += borrow;
  }
  return count;
}

/** "81-47=" wants "34". With `negative`, a-b and b-a count as one problem for the split. */
export const subtraction = defineTask({
  about: "Subtract two numbers: 81-47= wants 34",
  params,
  rows({ digits, negative, max_prompts }) {
    return operandPairs(0, 10 ** digits - 1, max_prompts, "subtraction").filter(([a, b]) => negative || a >= b).map(
      ([a, b]) => ({
        prompt: `${a}-${b}=`,
        answer: String(a - b),
        difficulty: borrows(a, b) / digits,
        splitKey: `${Math.max(a, b)}-${Math.min(a, b)}`,
      }),
    );
  },
  maxNewTokens: ({ digits, negative }) => digits + 1 + Number(negative),
});
