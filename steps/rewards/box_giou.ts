/** The reward `box_giou`: how near one box is to the true one. @module */
import { z } from "zod";
import { defineReward } from "./reward.ts";
import { taggedAnswer } from "./visual/answer.ts";
import { type Box, giou } from "./visual/boxes.ts";
import { quirk } from "./visual/quirk_param.ts";
import { symbolicallyEqual } from "./visual/symbolic_shortcut.ts";

const BOX = /\(\s*(\d+)\s*,\s*(\d+)\s*\)\s*,\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)/g;

/** Every "(x1,y1),(x2,y2)" of a text. */
const boxesIn = (text: string) =>
  Array.from(text.matchAll(BOX), ([, ...corners]) => corners.map(Number) as unknown as Box);

/**
 * Visual-RFT grpo_lisa.py accuracy_reward: GIoU + 1. There reversed corners score up to 2, and of two boxes the first
 * corner of each is read as one box; without `quirk` such answers earn 0: want one box with x1 < x2 and y1 < y2.
 */
export const boxGiou = defineReward({
  about: "0 to 2: GIoU + 1 of the box (x1,y1),(x2,y2) with the true one, 0 without a box (Visual-RFT)",
  method: {
    formula: "GIoU + 1 of one box (x1,y1),(x2,y2) with x1 < x2 and y1 < y2, else 0",
    source: "Visual-RFT grpo_lisa.py accuracy_reward",
    names: { visual_rft: "accuracy_reward of grpo_lisa.py; here with quirk: true to the letter" },
  },
  params: z.strictObject({ quirk }),
  score: ({ quirk }, { texts, answers }) =>
    texts.map((text, i) => quirk ? asOriginal(text, answers[i]!) : sound(text, answers[i]!)),
});

function sound(text: string, solution: string): number {
  const [found, more] = boxesIn(taggedAnswer(text, { lines: true })), [wanted] = boxesIn(solution);
  if (!found || more || !wanted || !(found[0] < found[2] && found[1] < found[3])) return 0;
  return giou(found, wanted) + 1;
}

function asOriginal(text: string, solution: string): number {
  if (symbolicallyEqual(text, solution)) return 1;
  const answer = taggedAnswer(text, { lines: false }), truth = taggedAnswer(solution, { lines: false });
  const found = misread(boxesIn(answer)), wanted = misread(boxesIn(truth));
  if (!found && !wanted && answer === truth) return 2;
  return found && wanted ? giou(found, wanted) + 1 : 0;
}

/** Of several boxes the first corners of the first two. */
function misread([first, second]: readonly Box[]): Box | null {
  if (!first) return null;
  return second ? [first[0], first[1], second[0], second[1]] : first;
}
