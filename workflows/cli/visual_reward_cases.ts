/** Where the rewards `visual/NAME` differ from Visual-RFT's: completions with what both forms give them, worked by hand. @module */
import type { RewardName } from "../../steps/rewards/mod.ts";

export interface VisualRewardCase {
  readonly reward: RewardName;
  /** What is special about the completion. */
  readonly what: string;
  readonly completion: string;
  readonly answer: string;
  /** Reward by default, and with `compat: true`; to four decimals. */
  readonly sound: number;
  readonly compat: number;
  /** Why Visual-RFT gives what it gives, and what speaks for the other. */
  readonly why: string;
}

const one = (box: string, rest = ", 'Confidence': 0.9") => `{'Position': [${box}]${rest}}`;
const tagged = (text: string) => `<think>t</think><answer>${text}</answer>`;
const TRUE = `<answer>[${one("100, 100, 200, 200", ", 'Confidence': 1")}]</answer>`;
/** 99 · 99 of 100 · 100. */
const NEAR = one("101, 101, 200, 200"), HALF = one("100, 150, 200, 200", ", 'Confidence': 0.8");
const MANY = Array.from({ length: 301 }, (_, i) => one(i === 0 ? "101, 101, 200, 200" : `${300 + i}, 300, 900, 900`));
const SHORTCUT =
  "Math-Verify takes one number out of each text, here the second of the first box, and equal numbers earn 1";

type Row = [what: string, completion: string, sound: number, compat: number, why: string, answer?: string];

const ROWS: Partial<Record<RewardName, { readonly answer: string; readonly rows: readonly Row[] }>> = {
  "visual/iou": {
    answer: TRUE,
    rows: [
      ["a box elsewhere with the same second number", tagged(`[${one("700, 100, 900, 900")}]`), 0, 1, SHORTCUT],
      [
        "IoU of exactly 0.5",
        tagged(`[${HALF}]`),
        0.5,
        0,
        "there more than 0.5 is wanted; COCO counts from the threshold on",
      ],
      [
        "nothing there, and said so",
        tagged("No Objects"),
        1,
        0,
        "there it is no list, and no list earns 0",
        "<answer>No Objects</answer>",
      ],
      [
        "a line end in the answer",
        tagged(`[${NEAR}\n]`),
        0.9801,
        0,
        "there the pattern of the tags has no DOTALL, so that the tags are part of the answer",
      ],
      [
        "the same box twice",
        tagged(`[${NEAR}, ${NEAR}]`),
        0.4901,
        0.9801,
        "there repeats are dropped; a completion that repeats itself finds no more",
      ],
      [
        "no confidence",
        tagged(`[${one("101, 101, 200, 200", "")}]`),
        0.9801,
        0,
        "there a missing key ends in an exception, and exceptions earn 0",
      ],
      ["one record, no list", tagged(NEAR), 0.9801, 0, "there only a list is looked into"],
      [
        "Qwen2.5-VL's form",
        '```json\n[{"bbox_2d": [101, 101, 200, 200], "label": "cat"}]\n```',
        0.9801,
        0,
        "there only the key Position is read, and no fence",
      ],
      ["Qwen2-VL's form", "<|box_start|>(101,101),(200,200)<|box_end|>", 0.9801, 0, "the same"],
      [
        "words behind the list",
        tagged(`[${NEAR}] as asked`),
        0.9801,
        0,
        "there the text between the tags must be the list",
      ],
      [
        "two answers",
        tagged(`[${one("500, 500, 600, 600")}]`) + `<answer>[${NEAR}]</answer>`,
        0.9801,
        0,
        "there the first answer counts, here the last: what was thought of later",
      ],
      [
        "cut off in the second box, no tags",
        `[${NEAR}, {'Position': [3`,
        0,
        0.9801,
        "there the whole boxes of a list that was cut off are repaired; here what is not closed is no answer",
      ],
      [
        "a list in a list",
        tagged(`[[${NEAR}]]`),
        0,
        0.9801,
        "there double brackets are made single; here a list holds boxes",
      ],
      [
        "301 boxes, the first right",
        tagged(`[${MANY.join(", ")}]`),
        0,
        0.0033,
        "here more than 300 boxes are no answer (as many as LVIS's evaluation takes), so that its cost is bounded",
      ],
    ],
  },
  "visual/confidence": {
    answer: TRUE,
    rows: [
      [
        "a box elsewhere with the same second number",
        tagged(`[${one("700, 100, 900, 900", ", 'Confidence': 0.1")}]`),
        0.9,
        1,
        SHORTCUT,
      ],
      [
        "confidence 5",
        tagged(`[${one("101, 101, 200, 200", ", 'Confidence': 5")}]`),
        0,
        1,
        "there the mean is cut to 0 to 1; 5 is no probability",
      ],
      [
        "confidence -1 of a wrong box",
        tagged(`[${one("600, 600, 700, 700", ", 'Confidence': -1")}]`),
        0,
        1,
        "the same: 1 - (-1) is cut to 1",
      ],
      [
        "confidence NaN",
        tagged(`[${one("101, 101, 200, 200", ", 'Confidence': NaN")}]`),
        0,
        NaN,
        "there the reward is NaN, which ruins the update",
      ],
      [
        "one of two without confidence",
        tagged(`[${NEAR}, ${one("600, 600, 700, 700", "")}]`),
        0.45,
        0,
        "there a missing key ends in an exception; here that box alone earns 0",
      ],
      [
        "the same box twice",
        tagged(`[${NEAR}, ${NEAR}]`),
        0.5,
        0.9,
        "there repeats are dropped; here the second is a wrong box of confidence 0.9",
      ],
      ["IoU of exactly 0.5", tagged(`[${HALF}]`), 0.8, 0.2, "there more than 0.5 is wanted"],
      [
        "a coordinate NaN",
        tagged(`[${one("NaN, 101, 200, 200")}]`),
        0,
        0.1,
        "there it is a wrong box; here it is no box, and the text no answer",
      ],
      [
        "nothing there, and said so",
        tagged("No Objects"),
        1,
        0,
        "there it is no list, and no list earns 0",
        "<answer>No Objects</answer>",
      ],
    ],
  },
  "visual/format": {
    answer: "",
    rows: [
      [
        "a line end behind",
        `${tagged("a")}\n`,
        1,
        0,
        "there the match is over the whole text, white space at its ends too",
      ],
      [
        "blocks without content",
        "<think></think><answer></answer>",
        0,
        1,
        "there anything may stand in the blocks, nothing as well",
      ],
      [
        "two answers",
        `${tagged("a")}<answer>b</answer>`,
        0,
        1,
        "there tags inside of the blocks are accepted; two answers are none",
      ],
      ["reasons in the answer", "<think>a</think><answer><think>b</think>c</answer>", 0, 1, "the same"],
    ],
  },
  "visual/classification": {
    answer: "Egyptian_Mau",
    rows: [
      ["an empty answer", tagged(""), 0, 1, "there either text may contain the other, and every name contains nothing"],
      ["a letter of the name", tagged("e"), 0, 1, "the same"],
      ["every class", tagged("Boxer, Egyptian Mau, Siamese"), 0, 1, "the same: who names all is right"],
      ["the opposite", tagged("not Egyptian Mau"), 0, 1, "the same"],
      [
        "a name in a sentence, no tags",
        "It is an Egyptian Mau",
        0,
        1,
        "there a text without tags is searched; here it is the answer as a whole",
      ],
      [
        "a name in the reasoning, a line end in the answer",
        "<think>no Egyptian Mau</think><answer>\nBoxer</answer>",
        0,
        1,
        "there tags over two lines are not seen, and the whole text is searched",
      ],
      [
        "another dash",
        tagged("DC\u201310"),
        1,
        0,
        "there only spaces, underscores and case are ignored; here all dashes are one",
        "DC-10",
      ],
    ],
  },
  "visual/giou": {
    answer: "(0,0),(100,100)",
    rows: [
      [
        "the box itself",
        tagged("(0,0),(100,100)"),
        1,
        2,
        "GIoU + 1 there, half of it here, so that rewards have one scale",
      ],
      ["a box that shares nothing", tagged("(200,0),(300,100)"), 0.3333, 0.6667, "the same: GIoU is -1/3"],
      ["swapped corners", tagged("(100,100),(0,0)"), 0, 2, "there both sides are negative and their product is not"],
      [
        "two boxes",
        tagged("(0,0),(100,100) (300,300),(400,400)"),
        0,
        1.1111,
        "there the first corners of both are read as one box; here one is wanted",
      ],
      ["decimals", tagged("(0.5,0),(100,100)"), 0.9975, 0, "there only whole numbers are read"],
      ["Qwen2.5-VL's form", tagged('[{"bbox_2d": [0, 0, 100, 100]}]'), 1, 0, "there only (x1,y1),(x2,y2) is read"],
      [
        "a box elsewhere whose second number is the last of the true one",
        tagged("(300, 100), (400, 150)"),
        0.125,
        1,
        "Math-Verify takes one number out of each text, here those two, and equal numbers earn 1",
        "(0, 0), (100, 100)",
      ],
    ],
  },
  "visual/grounding": {
    answer: "(0,0),(100,100)",
    rows: [
      [
        "half of the box",
        tagged("(50,0),(150,100)"),
        0.3333,
        1.3333,
        "the one reward of a single box there is GIoU + 1; here it is the IoU",
      ],
      ["a box that shares nothing", tagged("(200,0),(300,100)"), 0, 0.6667, "the same: GIoU also pays for being near"],
      ["swapped corners", tagged("(100,100),(0,0)"), 0, 2, "there both sides are negative and their product is not"],
    ],
  },
  "visual/reasoning_grounding": {
    answer: "(0,0),(100,100)",
    rows: [
      ["the box itself", tagged("(0,0),(100,100)"), 2, 3, "the box counts up to 2 there, up to 1 here; the shape 1"],
      ["a line end behind", `${tagged("(0,0),(100,100)")}\n`, 2, 2, "the box counts less here, the shape not there"],
      ["blocks without content", "<think></think><answer></answer>", 0, 1, "there empty blocks have the shape"],
    ],
  },
};

export const VISUAL_REWARD_CASES: readonly VisualRewardCase[] = Object.entries(ROWS).flatMap((
  [reward, { answer, rows }],
) =>
  rows.map(([what, completion, sound, compat, why, own = answer]) => (
    { reward: reward as RewardName, what, completion, answer: own, sound, compat, why }
  ))
);
