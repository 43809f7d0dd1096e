/** The task `addition`: two numbers, plain digits. @module */
import { z } from "zod";
import { operandPairs } from "./rows/operand_pairs.ts";
import { defineTask } from "./task.ts";

const params = z.strictObject({
  digits: z.int().min(1).max(9).default(2).describe("digits of the longest operand"),
  min_digits: z.int().min(1).max(9).default(1).describe("digits of the shortest operand; 1 includes 0"),
  max_prompts: z.int().min(1).max(1_000_000).default(20_000).describe(
    "all pairs if they are at most so many, else so many drawn",
  ),
});

/** Carries of a + b in decimal. */
function carries(a: number, b: number): number {
  let count = 0;
  for (let carry = 0; a > 0 || b > 0; a = Math.floor(a / 10), b = Math.floor(b / 10)) {
    carry = (a % 10) + (b % 10) + carry >= 10 ? 1 : 0;
    count += carry;
  }
  return count;
}

/** "47+38=" wants "85". "3+5=" and "5+3=" are two prompts of one problem and always lie in the same split. */
export const addition = defineTask({
  about: "Add two numbers: 47+38= wants 85",
  params,
  rows({ digits, min_digits, max_prompts }) {
    const low = min_digits === 1 ? 0 : 10 ** (Math.min(min_digits, digits) - 1);
    return operandPairs(low, 10 ** digits - 1, max_prompts, "addition").map(([a, b]) => ({
      prompt: `${a}+${b}=`,
      answer: String(a + b),
      difficulty: carries(a, b) / digits,
      splitKey: `${Math.min(a, b)}+${Math.max(a, b)}`,
    }));
  },
  maxNewTokens: ({ digits }) => digits + 2,
});
