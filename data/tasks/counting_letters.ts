/** The task `counting_letters`: how often a letter occurs in a word. @module */
import { z } from "zod";
import { DRAWN_PROMPTS, lengthsInOrder } from "./rows/drawn_params.ts";
import { uniqueRows } from "./rows/unique_rows.ts";
import { defineTask } from "./task.ts";

const params = lengthsInOrder(z.strictObject({
  letters: z.string().regex(/^[a-z]{2,26}$/).default("aeinrst").describe("letters the words are made of"),
  min_length: z.int().min(1).max(100).default(4).describe("letters of the shortest word"),
  max_length: z.int().min(1).max(100).default(9).describe("letters of the longest word"),
  count: DRAWN_PROMPTS,
}));

/** "r in tartar=" wants "2". All letters of one word lie in the same split. */
export const countingLetters = defineTask({
  about: "Count a letter in a word: r in tartar= wants 2",
  params,
  columns: {
    word: { type: "utf8", unit: "", about: "the word" },
    letter: { type: "category", unit: "", about: "the letter to count" },
  },
  rows({ letters, min_length, max_length, count }) {
    const draw = (below: (bound: number) => number) => {
      const length = min_length + below(max_length - min_length + 1), letter = letters[below(letters.length)]!;
      return { letter, word: Array.from({ length }, () => letters[below(letters.length)]!).join("") };
    };
    return uniqueRows(count, "counting_letters", draw, ({ word, letter }) => `${letter} ${word}`).map((
      { word, letter },
    ) => ({
      prompt: `${letter} in ${word}=`,
      answer: String(word.split(letter).length - 1),
      difficulty: word.length / max_length,
      splitKey: word,
      columns: { word, letter },
    }));
  },
  maxNewTokens: ({ max_length }) => String(max_length).length + 1,
});
