/** The task `counting_letters`: how often a letter occurs in a word. @module */
import { z } from "zod";
import { integer } from "../random.ts";
import { uniqueRows } from "./rows/unique_rows.ts";
import { defineTask } from "./task.ts";
import { sameAnswer } from "./verifiers/same_answer.ts";

const params = z.strictObject({
  letters: z.string().regex(/^[a-z]{2,26}$/).default("aeinrst").describe("letters the words are made of"),
  min_length: z.int().min(1).max(100).default(4).describe("letters of the shortest word"),
  max_length: z.int().min(1).max(100).default(9).describe("letters of the longest word"),
  count: z.int().min(1).max(1_000_000).default(10_000).describe("prompts to draw, all splits together"),
}).refine(({ min_length, max_length }) => min_length <= max_length, {
  path: ["min_length"],
  message: "min_length is above max_length",
});

/** "r in tartar=" wants "2". All letters of one word lie in the same split. */
export const countingLetters = defineTask({
  about: "Count a letter in a word: r in tartar= wants 2",
  params,
  columns: {
    word: { type: "utf8", unit: "", about: "the word" },
    letter: { type: "category", unit: "", about: "the letter to count" },
  },
  rows({ letters, min_length, max_length, count }) {
    const draw = (row: number) => {
      const at = (index: number, bound: number) => integer(0, "counting_letters", 0, row, index, bound);
      const length = min_length + at(0, max_length - min_length + 1);
      const word = Array.from({ length }, (_, i) => letters[at(i + 2, letters.length)]!).join("");
      return { word, letter: letters[at(1, letters.length)]! };
    };
    return uniqueRows(count, draw, ({ word, letter }) => `${letter} ${word}`).map(({ word, letter }) => ({
      prompt: `${letter} in ${word}=`,
      answer: String(word.split(letter).length - 1),
      difficulty: word.length / max_length,
      splitKey: word,
      columns: { word, letter },
    }));
  },
  verify: sameAnswer,
  maxNewTokens: ({ max_length }) => String(max_length).length + 1,
});
