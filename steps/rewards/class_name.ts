/** The reward `class_name`: the answer names the class. @module */
import { z } from "zod";
import { defineReward } from "./reward.ts";
import { taggedAnswer } from "./visual/answer.ts";
import { quirk } from "./visual/quirk_param.ts";
import { symbolicallyEqual } from "./visual/symbolic_shortcut.ts";

const plain = (text: string) => text.replaceAll(/[ _]/g, "").toLowerCase();

/**
 * Visual-RFT grpo_classification.py accuracy_reward: letters without case, spaces and underscores. There either text
 * may contain the other, so that an empty answer and a single letter of the name earn 1; without `quirk` the answer must
 * contain the name.
 */
export const className = defineReward({
  about: "1 if the answer contains the class name of the answer column, ignoring case, spaces and underscores, else 0",
  method: {
    formula: "1 if the answer contains the class name, without case, spaces and underscores, else 0",
    source: "Visual-RFT grpo_classification.py accuracy_reward",
    names: { visual_rft: "accuracy_reward of grpo_classification.py; here with quirk: true to the letter" },
  },
  params: z.strictObject({ quirk }),
  score: ({ quirk }, { texts, answers }) =>
    texts.map((text, i) => {
      const lines = !quirk;
      const answer = plain(taggedAnswer(text, { lines })), name = plain(taggedAnswer(answers[i]!, { lines }));
      if (!quirk) return name !== "" && answer.includes(name) ? 1 : 0;
      return symbolicallyEqual(text, answers[i]!) || answer.includes(name) || name.includes(answer) ? 1 : 0;
    }),
});
