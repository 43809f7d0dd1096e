/** The prompt that asks for all objects of a category, and the answer that has their boxes. @module */
import type { Box } from "../../boxes/iou.ts";
import { type BoxUnit, wholeBox } from "../../images/boxes.ts";
import type { ImageSize } from "../../images/image_id.ts";

const UNIT_WORDS: Readonly<Record<BoxUnit, string>> = {
  thousandths: "whole numbers from 0 to 1000, thousandths of the picture's width and height",
  pixels: "whole numbers, in pixels",
};

/** What stands in a template for the name of the category. */
export const CATEGORY_MARK = "{category}";

/** The prompt where no other is given: it says the form of the answer that rewards read. */
export function usualTemplate(unit: BoxUnit): string {
  return `Find every object of the category "${CATEGORY_MARK}" in the picture. Give each one a box, from its upper left ` +
    `corner (x1, y1) to its lower right one (x2, y2) in ${UNIT_WORDS[unit]}, and how sure you are of it, from 0 to 1 ` +
    "with two decimals.\n" +
    `If the picture shows no "${CATEGORY_MARK}", the answer is No Objects.\n` +
    "Think within <think> </think> first, then answer within <answer> </answer>, in this form and no other:\n" +
    "<think> … </think><answer>[{'Position': [x1, y1, x2, y2], 'Confidence': c}, …]</answer>";
}

/** LVIS writes `aerosol_can`: a prompt has the words. */
export const promptOf = (template: string, category: string) =>
  template.replaceAll(CATEGORY_MARK, () => category.replaceAll("_", " "));

/** As Visual-RFT writes what it compares with: whole numbers, confidence 1. The boxes are in pixels. */
export function answerOf(boxes: readonly Box[], size: ImageSize, unit: BoxUnit): string {
  const items = boxes.map((box) =>
    `{'Position': [${wholeBox(box, size, "pixels", unit).join(", ")}], 'Confidence': 1}`
  );
  return `<answer>${items.length === 0 ? "No Objects" : `[${items.join(", ")}]`}</answer>`;
}
