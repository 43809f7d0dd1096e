/** The verifier `boxes`: boxes in a picture, as many as there are and each where one is. @module */
import { z } from "zod";
import { bestAssignment } from "../../boxes/hungarian.ts";
import { iou as overlap, SAME_BOX } from "../../boxes/iou.ts";
import { MOST_BOXES, readBoxes } from "../../boxes/read_boxes.ts";
import type { PromptRow } from "../task.ts";
import { defineVerifier } from "./verifier.ts";

const params = z.strictObject({
  iou: z.number().gt(0).max(1).default(SAME_BOX).describe("least IoU of a box with the one that it is"),
});

/**
 * Answer and completion are boxes in any form that `readBoxes` knows, in one unit; labels and confidences do not count. Each
 * box of the answer has its own of the completion, and none is left over; an answer of no box wants none.
 */
export const boxes = defineVerifier({
  about: "its boxes are the answer's, one for each and no other, each with a least IoU",
  params,
  answersAreJson: true,
  problem(answer) {
    const { boxes: found, problem } = readBoxes(answer);
    if (problem !== null) return `holds no boxes: ${problem}`;
    const at = found.findIndex(({ box: [x1, y1, x2, y2] }) => !(x1 < x2 && y1 < y2));
    return at < 0 ? null : `has a box without an area, or with swapped corners: number ${at + 1} of ${found.length}`;
  },
  verify(completion, { answer }, { iou }) {
    const found = readBoxes(completion), { boxes: wanted } = readBoxes(String(answer)), count = found.boxes.length;
    if (found.problem !== null || count !== wanted.length || count > MOST_BOXES) return false;
    // As many pairs as there can be: the largest sum of IoU may leave a box without one where another sum does not.
    const fits = wanted.map(({ box }) => found.boxes.map((one) => overlap(one.box, box) >= iou ? 1 : 0));
    return bestAssignment(fits).every((at, row) => fits[row]![at!] === 1);
  },
});

const USUAL = params.parse({});

/** What the tasks of pictures judge by: the verifier with its default. */
export const hasRightBoxes = (completion: string, row: PromptRow): boolean => boxes.verify!(completion, row, USUAL);
