/** The task `sorting_digits`: put the digits of a string in order. @module */
import { z } from "zod";
import { DRAWN_PROMPTS, lengthsInOrder } from "./rows/drawn_params.ts";
import { uniqueRows } from "./rows/unique_rows.ts";
import { defineTask } from "./task.ts";

const params = lengthsInOrder(z.strictObject({
  min_length: z.int().min(2).max(100).default(3).describe("digits of the shortest string"),
  max_length: z.int().min(2).max(100).default(6).describe("digits of the longest string"),
  count: DRAWN_PROMPTS,
}));

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
  rows({ min_length, max_length, count }) {
    const draw = (below: (bound: number) => number) =>
      Array.from({ length: min_length + below(max_length - min_length + 1) }, () => below(10)).join("");
    return uniqueRows(count, "sorting_digits", draw, String).map((digits) => ({
      prompt: `sort ${digits}=`,
      answer: [...digits].sort().join(""),
      difficulty: disorder(digits),
    }));
  },
  maxNewTokens: ({ max_length }) => max_length + 1,
});
