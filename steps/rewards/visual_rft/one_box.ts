/** Visual-RFT's reward of one box in a text, `accuracy_reward` of grpo_lisa.py, to the letter. @module */
import { taggedAnswer } from "./answer.ts";
import type { Box } from "../../../data/boxes/iou.ts";
import { giou } from "./boxes.ts";
import { inPython } from "./python_text.ts";
import { symbolicallyEqual } from "./symbolic_shortcut.ts";

// Python's \d and int() take the digits of every script.
const N = String.raw`\s*(\p{Nd}+)\s*`;
const BOX = new RegExp(inPython(String.raw`\(${N},${N}\)\s*,\s*\(${N},${N}\)`), "gu");

/** GIoU + 1 of the box "(x1,y1),(x2,y2)" with the true one, 0 to 2; 1 where Math-Verify takes equal numbers out of both. */
export function oneBoxReward(text: string, solution: string): number {
  if (symbolicallyEqual(text, solution)) return 1;
  const answer = taggedAnswer(text), truth = taggedAnswer(solution);
  const found = misread(boxesIn(answer)), wanted = misread(boxesIn(truth));
  if (!found && !wanted && answer === truth) return 2;
  return found && wanted ? giou(found, wanted) + 1 : 0;
}

/** Every "(x1,y1),(x2,y2)" of a text. */
const boxesIn = (text: string) =>
  Array.from(text.matchAll(BOX), ([, ...corners]) => corners.map(numberOf) as unknown as Box);

/** Of several boxes the first corners of the first two. */
function misread([first, second]: readonly Box[]): Box | null {
  if (!first) return null;
  return second ? [first[0], first[1], second[0], second[1]] : first;
}

const VALUES = new Map<string, number>();

/** Digits of any script: those of one stand in order from 0, ten each. */
function numberOf(digits: string): number {
  return Number(digits.replaceAll(/[^0-9]/gu, (digit) => {
    if (!VALUES.has(digit)) {
      const code = digit.codePointAt(0)!;
      let zero = code;
      while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
      VALUES.set(digit, (code - zero) % 10);
    }
    return String(VALUES.get(digit));
  }));
}
