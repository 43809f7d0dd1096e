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

/** The boxes of an answer, as `changeBoxes` understands them; what is no number is NaN. */
export function boxesIn(answer: string): readonly (readonly number[])[] {
  const found: (readonly number[])[] = [];
  eachBox(answer, (numbers) => {
    found.push(numbers);
    return "[]"; // still no list of numbers around it
  });
  return found;
}

/** The answer with each box as `write` gives it, in its own form. */
function eachBox(
  answer: string,
  write: (box: readonly number[], shape: "list" | "corners", between: string) => string,
) {
  const list = (text: string) => write(text.split(",").map(numberOf), "list", "");
  return answer
    .replace(POSITION, (_, before: string, box: string) => before + list(box))
    .replace(
      CORNERS,
      (_, x1: string, y1: string, between: string, x2: string, y2: string) =>
        write([x1, y1, x2, y2].map(numberOf), "corners", between),
    )
    .replace(ALONE, (_, before: string, box: string, after: string) => before + list(box) + after);
}

const numberOf = (text: string) => text.trim() === "" ? NaN : Number(text.replace(/inf.*/i, "Infinity"));

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
  const made = eachBox(answer, (box, shape, between) => {
    found++;
    const problem = boxProblem(box, size, from);
    if (problem !== null) throw new ImageProblem(problem);
    const rounded = convertBox(box as unknown as Box, size, from, to).map(Math.round) as unknown as Box;
    if (boxProblem(rounded, size, to) !== null) {
      throw new ImageProblem(`box [${box.join(", ")}] is smaller than one of ${to}, want a larger one`);
    }
    const [x1, y1, x2, y2] = rounded;
    return shape === "list" ? `[${rounded.join(", ")}]` : `(${x1},${y1})${between}(${x2},${y2})`;
  });
  if (found > 0) return made;
  throw new ImageProblem(
    `box_unit finds no box in its answer ${JSON.stringify(answer.slice(0, 80))}, want 'Position': [x1, y1, x2, y2], ` +
      "(x1,y1),(x2,y2), or [x1, y1, x2, y2] alone",
  );
}
