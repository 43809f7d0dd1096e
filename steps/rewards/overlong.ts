/** The reward `overlong`: DAPO's soft punishment of completions that come near the cap. @module */
import { z } from "zod";
import { defineReward } from "./reward.ts";

const params = z.strictObject({
  max_new_tokens: z.int().min(1).describe("the cap, as in sample_groups, in tokens"),
  buffer: z.int().min(1).describe("the punishment grows over the last so many tokens"),
}).refine(({ max_new_tokens, buffer }) => buffer <= max_new_tokens, {
  path: ["buffer"],
  message: "buffer is above max_new_tokens",
});

/**
 * 0 up to max_new_tokens - buffer, then linear down to -1 at max_new_tokens
 * (DAPO, arXiv 2503.14476 eq. 13; TRL `get_soft_overlong_punishment`).
 */
export const overlong = defineReward({
  about: "0, falling to -1 over the last `buffer` tokens before the cap",
  method: {
    formula: "0 up to the cap less buffer, then -1 · tokens beyond it / buffer, at least -1",
    source: "DAPO, arXiv 2503.14476 eq. 13; TRL get_soft_overlong_punishment",
    names: {
      trl: "get_soft_overlong_punishment(max_completion_len, soft_punish_cache)",
      verl: "overlong_buffer of the reward manager dapo",
    },
  },
  params,
  score: ({ max_new_tokens, buffer }, { completion_tokens }) =>
    completion_tokens.map((tokens) => {
      const over = tokens - (max_new_tokens - buffer);
      return over <= 0 ? 0 : -Math.min(1, over / buffer);
    }),
});
