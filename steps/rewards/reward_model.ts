/** The reward `reward_model`: what a trained reward model gives a prompt with its completion. @module */
import { z } from "zod";
import { defineReward } from "./reward.ts";

const params = z.strictObject({
  scale: z.number().default(1).describe("multiplies the score"),
  center: z.number().default(0).describe("subtracted from the score first, e.g. its mean over good completions"),
});

export const rewardModel = defineReward({
  about: "The score of the run's reward model, read at the completion's last token; any number",
  params,
  readsModel: true,
  score({ scale, center }, { model_scores: scores }) {
    if (scores) return scores.map((score) => scale * (score - center));
    throw new TypeError(
      'Cannot score with reward "reward_model": the run has no reward model; add load_reward_model or train_reward_model',
    );
  },
});
