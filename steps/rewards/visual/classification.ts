/** The reward `visual/classification`: the answer is the class. @module */
import { z } from "zod";
import { judgedText } from "../../../data/boxes/judged_text.ts";
import { visualParams } from "../boxes/compat_param.ts";
import { readBoxes } from "../../../data/boxes/read_boxes.ts";
import { defineReward } from "../reward.ts";
import { taggedAnswer } from "../visual_rft/answer.ts";
import { symbolicallyEqual } from "../visual_rft/symbolic_shortcut.ts";

/** As Visual-RFT compares names. */
const plain = (text: string) => text.replaceAll(/[ _]/g, "").toLowerCase();

/** Marks around a name that are not part of it. */
const AROUND = "\"'`*.";

function withoutMarks(text: string): string {
  let start = 0, end = text.length;
  while (start < end && AROUND.includes(text[start]!)) start++;
  while (end > start && AROUND.includes(text[end - 1]!)) end--;
  return text.slice(start, end);
}

/** A name without case, white space, underscores and marks around it, every dash the same; Unicode's compatible letters alike. */
function normalised(name: string): string {
  return withoutMarks(name.normalize("NFKC").trim()).replaceAll(/[\s_]/g, "").replaceAll(/\p{Pd}|\u2212/gu, "-")
    .toLowerCase();
}

export const visualClassification = defineReward({
  about: "1 if the answer is the class name of the answer column, ignoring case, white space, underscores, else 0",
  method: {
    formula: "1 if the answer equals the class name or an alias, without case, white space and underscores, else 0",
    source: "Visual-RFT grpo_classification.py accuracy_reward",
    names: { visual_rft: "accuracy_reward of grpo_classification.py; here with compat: true to the letter" },
  },
  params: visualParams({
    aliases: z.record(z.string(), z.array(z.string().min(1)).min(1)).default({}).describe(
      "further names of a class that are right as well, e.g. {Egyptian_Mau: [mau]}",
    ),
  }),
  answerDoubt: (_, answer) =>
    readBoxes(answer).boxes.length > 0
      ? 'are boxes, where class names are wanted; boxes are for reward "visual/iou"'
      : null,
  score({ compat, aliases }, { texts, answers }) {
    if (compat) return texts.map((text, i) => asOriginal(text, answers[i]!));
    const others = new Map(Object.entries(aliases).map(([name, more]) => [normalised(name), more.map(normalised)]));
    return texts.map((text, i) => {
      const name = normalised(judgedText(answers[i]!) ?? "");
      if (name === "") return null;
      const answer = normalised(judgedText(text) ?? "");
      return answer === name || (others.get(name)?.includes(answer) ?? false) ? 1 : 0;
    });
  },
});

/** Either text may contain the other, so that an empty answer and a single letter of the name earn 1. */
function asOriginal(text: string, solution: string): number {
  if (symbolicallyEqual(text, solution)) return 1;
  const answer = plain(taggedAnswer(text)), name = plain(taggedAnswer(solution));
  return answer.includes(name) || name.includes(answer) ? 1 : 0;
}
