/** Writes the boxes of an answer in another unit, by the size of the image. @module */
import type { Box } from "../../boxes/iou.ts";
import { boxProblem, type BoxUnit, convertBox } from "../../images/boxes.ts";
import { sizeOfId } from "../../images/image_id.ts";
import { ImageProblem } from "./row_images.ts";

export interface BoxChange {
  readonly from: BoxUnit;
  readonly to: BoxUnit;
}

/** A number as answers have it, and what some write in place of one. */
const NUMBER = String.raw`[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\.\d+|nan|inf(?:inity)?)`;
const PAIR = String.raw`\(\s*(${NUMBER})\s*,\s*(${NUMBER})\s*\)`;
/** Detection's `'Position': [x1, y1, x2, y2]`. */
const POSITION = /(['"]Position\\?['"]\s*:\s*)\[([^\]]*)\]/gi;
/** Grounding's `(x1,y1),(x2,y2)`. */
const CORNERS = new RegExp(`${PAIR}(\\s*,\\s*)${PAIR}`, "gi");
/** A box alone, `[x1, y1, x2, y2]`, in tags or not. */
const ALONE = /^(\s*(?:<answer>\s*)?)\[([^[\]]*)\](\s*(?:<\/answer>\s*)?)$/i;

/**
 * The answer with its boxes in the other unit, rounded to whole numbers. Understood are `'Position': [x1, y1, x2, y2]` of
 * detection, `(x1,y1),(x2,y2)` of grounding, and an answer that is one list `[x1, y1, x2, y2]`. An answer without digits
 * stays: it says that there is nothing.
 *
 * Throws ImageProblem, as the end of a sentence about the row: for a box that is outside its image, has no area, swapped
 * corners or what is no number; for no box in these forms; where not one image says the size.
 */
export function changeBoxes(answer: string, images: readonly string[], { from, to }: BoxChange): string {
  if (!/\d|nan|inf/i.test(answer)) return answer;
  if (images.length !== 1) {
    throw new ImageProblem(`it has ${images.length} images, and box_unit needs one, in which its boxes are`);
  }
  const size = sizeOfId(images[0]!);
  let found = 0;
  const changed = (numbers: readonly string[]): Box => {
    found++;
    const box = numbers.map((text) => text.trim() === "" ? NaN : Number(text.replace(/inf.*/i, "Infinity")));
    const problem = boxProblem(box, size, from);
    if (problem !== null) throw new ImageProblem(problem);
    const rounded = convertBox(box as unknown as Box, size, from, to).map(Math.round) as unknown as Box;
    if (boxProblem(rounded, size, to) === null) return rounded;
    throw new ImageProblem(`box [${box.join(", ")}] is smaller than one of ${to}, want a larger one`);
  };
  const list = (text: string) => `[${changed(text.split(",")).join(", ")}]`;
  const made = answer
    .replace(POSITION, (_, before: string, box: string) => before + list(box))
    .replace(CORNERS, (_, x1: string, y1: string, between: string, x2: string, y2: string) => {
      const box = changed([x1, y1, x2, y2]);
      return `(${box[0]},${box[1]})${between}(${box[2]},${box[3]})`;
    })
    .replace(ALONE, (_, before: string, box: string, after: string) => before + list(box) + after);
  if (found > 0) return made;
  throw new ImageProblem(
    `box_unit finds no box in its answer ${JSON.stringify(answer.slice(0, 80))}, want 'Position': [x1, y1, x2, y2], ` +
      "(x1,y1),(x2,y2), or [x1, y1, x2, y2] alone",
  );
}
