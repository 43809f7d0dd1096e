/** The reward `length_penalty`: every token beyond an allowance costs. @module */
import { z } from "zod";
import { defineReward } from "./reward.ts";

const params = z.strictObject({
  per_token: z.number().min(0).default(0.001).describe("cost of one token, in reward"),
  free_tokens: z.int().min(0).default(0).describe("tokens that cost nothing"),
  max_penalty: z.number().min(0).default(1).describe("largest cost of a completion, in reward"),
});

export const lengthPenalty = defineReward({
  about: "Minus a cost per token beyond an allowance, from -max_penalty to 0",
  params,
  score: ({ per_token, free_tokens, max_penalty }, { completion_tokens }) =>
    completion_tokens.map((tokens) => {
      const cost = Math.min(max_penalty, per_token * Math.max(0, tokens - free_tokens));
      return cost === 0 ? 0 : -cost;
    }),
});
