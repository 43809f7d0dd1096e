/** Writes the boxes of an answer in another unit, by the size of the image. @module */
import type { Box } from "../../boxes/iou.ts";
import { BETWEEN, cornerPair, readBoxes } from "../../boxes/read_boxes.ts";
import { judgedText } from "../../boxes/judged_text.ts";
import { boxProblem, type BoxUnit, wholeBox } from "../../images/boxes.ts";
import { type ImageSize, sizeOfId } from "../../images/image_id.ts";
import { ImageProblem } from "./row_images.ts";

export interface BoxChange {
  readonly from: BoxUnit;
  readonly to: BoxUnit;
}

/** What may be a box: `(x1,y1),(x2,y2)`, or numbers in brackets. No part of it begins where another could: time is linear. */
const MARKS = new RegExp(String.raw`${cornerPair(`(${BETWEEN})`)}|([[(])([-+\d.eE,\s]*)[\])]`, "g");
/** What stands before the value of a key. */
const KEYED = /:\s*$/;

/** A message of a conversation, whose answer is the JSON of a list of them. */
const CONVERSATION = /^\s*\[\s*\{\s*"role"\s*:/;

/** The boxes of an answer that rewards read. */
export function boxesIn(answer: string): readonly Box[] {
  return readBoxes(answer).boxes.map(({ box }) => box);
}

/**
 * The answer with its boxes in the other unit, as whole numbers that keep an area: all that `readBoxes` finds, in its own
 * form, and those of its reasoning. An answer without digits stays: it says that there is nothing. Of a conversation each text is an answer.
 *
 * Throws ImageProblem, as the end of a sentence about the row: for a box that is outside its image, has no area or swapped
 * corners; for an answer in which `readBoxes` finds none or not all; where not one image says the size.
 */
export function changeBoxes(answer: string, images: readonly string[], change: BoxChange): string {
  if (!/\d|nan|inf/i.test(answer)) return answer;
  if (images.length !== 1) {
    throw new ImageProblem(`it has ${images.length} images, and box_unit needs one, in which its boxes are`);
  }
  const size = sizeOfId(images[0]!);
  if (!CONVERSATION.test(answer)) return changed(answer, size, change);
  // Texts alone: a role is none.
  return JSON.stringify(
    JSON.parse(answer),
    (key, value) =>
      (key === "content" || key === "text") && typeof value === "string" && /\d/.test(value)
        ? changed(value, size, change)
        : value,
  );
}

function changed(answer: string, size: ImageSize, { from, to }: BoxChange): string {
  const shown = JSON.stringify(answer.slice(0, 80)), { boxes, problem } = readBoxes(answer);
  if (problem !== null) throw new ImageProblem(`box_unit cannot read the boxes of its answer ${shown}: ${problem}`);
  const inUnit = (box: Box) => {
    const problem = boxProblem(box, size, from);
    if (problem !== null) throw new ImageProblem(problem);
    return wholeBox(box, size, from, to);
  };
  const wanted = boxes.map(({ box }) => inUnit(box));
  const judged = judgedText(answer)!, start = answer.lastIndexOf(judged);
  const text = answer.slice(start, start + judged.length);
  const made = written(text, boxes.map(({ box }) => box), wanted);
  const around = [answer.slice(0, start), answer.slice(start + judged.length)].map((text) => {
    const boxes = marksOf(text).filter(isBox).map(({ numbers }) => numbers as unknown as Box);
    return written(text, boxes, boxes.map(inUnit)).text;
  });
  const whole = around[0] + made.text + around[1], again = readBoxes(whole);
  const isSame = again.problem === null && again.boxes.length === wanted.length &&
    again.boxes.every(({ box, label }, i) => label === boxes[i]!.label && box.every((x, k) => x === wanted[i]![k]));
  // A text that would hold boxes of both units, or others than were meant, is none.
  if (!isSame || made.left) {
    throw new ImageProblem(
      `box_unit can convert but a part of the boxes in its answer ${shown}, want them in one form, as rewards read them`,
    );
  }
  return whole;
}

interface Mark {
  readonly numbers: readonly number[];
  readonly match: RegExpMatchArray;
  /** The value of a key of a record. */
  readonly isKeyed: boolean;
}

const isBox = ({ numbers }: Mark) => numbers.length === 4 && numbers.every(Number.isFinite);

function marksOf(text: string): Mark[] {
  return [...text.matchAll(MARKS)].map((match) => {
    const [, x1, y1, , x2, y2, , inner] = match;
    const words = inner === undefined ? [x1!, y1!, x2!, y2!] : inner.trim().replace(/,$/, "").split(",");
    const numbers = words.map((word) => word.trim() === "" ? NaN : Number(word));
    return { numbers, match, isKeyed: KEYED.test(text.slice(Math.max(0, match.index - 8), match.index)) };
  });
}

/** The text with the found boxes, which stand in this order, written as others; whether other boxes are left in it. */
function written(text: string, found: readonly Box[], wanted: readonly Box[]) {
  let made = "", end = 0, next = 0, left = false;
  for (const mark of marksOf(text)) {
    const { match: [all, , , between, , , open], numbers, isKeyed } = mark, at = mark.match.index!;
    const isNext = next < found.length && numbers.length === 4 && numbers.every((x, i) => x === found[next]![i]);
    if (!isNext) {
      // Another key than the position's may have a list of its own.
      left ||= isBox(mark) && !isKeyed;
      continue;
    }
    const [x1, y1, x2, y2] = wanted[next++]!;
    made += text.slice(end, at) +
      (open === undefined ? `(${x1},${y1})${between}(${x2},${y2})` : `${open}${x1}, ${y1}, ${x2}, ${y2}${all.at(-1)}`);
    end = at + all.length;
  }
  return { text: made + text.slice(end), left };
}
