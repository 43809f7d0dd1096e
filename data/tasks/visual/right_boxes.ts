/** Judges whether the boxes of a completion are the true ones. @module */
import { iou } from "../../boxes/iou.ts";
import { readBoxes } from "../../boxes/read_boxes.ts";
import type { PromptRow } from "../task.ts";

/** Above this IoU, strictly, a box is the true one (Visual-RFT grpo.py). */
const MATCHED = 0.5;

/**
 * True where the completion's boxes are those of the row's answer and no others: as many, and one for each. True boxes that
 * do not overlap share no match, as more than half of a found box would have to lie in each.
 */
export function hasRightBoxes(completion: string, { answer }: PromptRow): boolean {
  const { boxes: found, problem } = readBoxes(completion), { boxes: truth } = readBoxes(String(answer));
  return problem === null && found.length === truth.length &&
    truth.every((one) => found.some((other) => iou(other.box, one.box) > MATCHED));
}
