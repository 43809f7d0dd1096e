/** The task `sorting_digits`: put the digits of a string in order. @module */
import { z } from "zod";
import { integer } from "../random.ts";
import { uniqueRows } from "./rows/unique_rows.ts";
import { defineTask } from "./task.ts";
import { sameAnswer } from "./verifiers/same_answer.ts";

const params = z.strictObject({
  min_length: z.int().min(2).max(100).default(3).describe("digits of the shortest string"),
  max_length: z.int().min(2).max(100).default(6).describe("digits of the longest string"),
  count: z.int().min(1).max(1_000_000).default(10_000).describe("prompts to draw, all splits together"),
}).refine(({ min_length, max_length }) => min_length <= max_length, {
  path: ["min_length"],
  message: "min_length is above max_length",
});

/** Share of pairs of digits that stand in the wrong order. */
function disorder(digits: string): number {
  let wrong = 0, pairs = 0;
  for (let i = 0; i < digits.length; i++) {
    for (let j = i + 1; j < digits.length; j++, pairs++) wrong += digits[i]! > digits[j]! ? 1 : 0;
  }
  return wrong / pairs;
}

/** "sort 3142=" wants "1234". Each string is its own problem: the split goes by the prompt. */
export const sortingDigits = defineTask({
  about: "Sort the digits of a string: sort 3142= wants 1234",
  params,
  columns: {},
  rows({ min_length, max_length, count }) {
    const draw = (row: number) => {
      const length = min_length + integer(0, "sorting_digits", 0, row, 0, max_length - min_length + 1);
      return Array.from({ length }, (_, i) => integer(0, "sorting_digits", 0, row, i + 1, 10)).join("");
    };
    return uniqueRows(count, draw, (digits) => digits).map((digits) => ({
      prompt: `sort ${digits}=`,
      answer: [...digits].sort().join(""),
      difficulty: disorder(digits),
    }));
  },
  verify: sameAnswer,
  maxNewTokens: ({ max_length }) => max_length + 1,
});
