/** The task `multiplication_table`: products of small numbers. @module */
import { z } from "zod";
import { defineTask } from "./task.ts";
import { operandPairs } from "./rows/operand_pairs.ts";

const params = z.strictObject({
  max: z.int().min(2).max(999).default(20).describe("largest factor; factors start at 0"),
});

/** "7*8=" wants "56". "7*8=" and "8*7=" are one problem for the split. */
export const multiplicationTable = defineTask({
  about: "Multiply two small numbers: 7*8= wants 56",
  params,
  rows: ({ max }) =>
    operandPairs(0, max, (max + 1) ** 2, "multiplication_table").map(([a, b]) => ({
      prompt: `${a}*${b}=`,
      answer: String(a * b),
      difficulty: (a * b) / (max * max),
      splitKey: `${Math.min(a, b)}*${Math.max(a, b)}`,
    })),
  maxNewTokens: ({ max }) => String(max * max).length + 1,
});
