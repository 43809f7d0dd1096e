/** The units of boxes: of completions and of answers, by named options, never guessed. @module */
import { z } from "zod";
import { BOX_UNITS, convertBox } from "../../../data/images/boxes.ts";
import type { Box } from "../../../data/boxes/iou.ts";
import { sizeOfId } from "../../../data/images/image_id.ts";
import { imagesIn } from "../../../data/datasets/prompt_images.ts";
import type { RewardBatch } from "../reward.ts";

const unit = z.enum(BOX_UNITS).default("thousandths");

/** Options of both units. */
export const UNIT_PARAMS = {
  box_unit: unit.describe(
    "what completions give boxes in: thousandths of the image's width and height, or its pixels as it is seen, upright",
  ),
  answer_unit: unit.describe("what answers give boxes in; another than box_unit: completions are converted"),
} as const;

export type UnitOptions = z.output<z.ZodObject<typeof UNIT_PARAMS>>;

/**
 * Turns a box of completion i into the answer's unit, by the size of its prompt's image. Throws RangeError where the
 * units differ and the prompt has no image, or images of several sizes.
 */
export function toAnswerUnit(
  reward: string,
  { box_unit, answer_unit }: UnitOptions,
  { prompts, rows }: RewardBatch,
  i: number,
): (box: Box) => Box {
  if (box_unit === answer_unit) return (box) => box;
  const sizes = imagesIn(prompts[i]!).map(sizeOfId);
  const [size] = sizes;
  if (size && sizes.every(({ width, height }) => width === size.width && height === size.height)) {
    return (box) => convertBox(box, size, box_unit, answer_unit);
  }
  const has = size ? "images of several sizes" : "no image";
  throw new RangeError(
    `Cannot score with reward "${reward}": prompt ${rows[i]?.["prompt_id"]} has ${has}, want one whose size turns ` +
      `${box_unit} into ${answer_unit}; let box_unit and answer_unit be the same`,
  );
}
