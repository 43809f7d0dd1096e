/** The reward `repetition_penalty`: repeated n-grams cost. @module */
import { z } from "zod";
import { defineReward } from "./reward.ts";

const params = z.strictObject({
  ngram: z.int().min(1).default(3).describe("length of the n-grams, in units"),
  unit: z.enum(["words", "characters"]).default("words").describe("what an n-gram is made of"),
  max_penalty: z.number().min(0).default(1).describe("cost when every n-gram is the same, in reward"),
});

/** -(1 - distinct n-grams / n-grams) x max_penalty, case ignored; 0 when the text is too short for one n-gram. */
export const repetitionPenalty = defineReward({
  about: "Minus the share of n-grams that repeat an earlier one, from -max_penalty to 0",
  params,
  score({ ngram, unit, max_penalty }, { texts }) {
    return texts.map((text) => {
      const lower = text.toLowerCase();
      const units = unit === "words" ? lower.split(/\s+/).filter((word) => word !== "") : [...lower];
      const total = units.length - ngram + 1;
      if (total < 1) return 0;
      const distinct = new Set(Array.from({ length: total }, (_, i) => units.slice(i, i + ngram).join("\0")));
      return distinct.size === total ? 0 : -(1 - distinct.size / total) * max_penalty;
    });
  },
});
