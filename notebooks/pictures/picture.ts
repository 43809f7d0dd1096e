/** What a picture of one completion shows: its images, the gold boxes and those that it says, or the words of both. @module */
import type { Box } from "../../data/boxes/iou.ts";
import { judgedText } from "../../data/boxes/judged_text.ts";
import { matchBoxes } from "../../data/boxes/match.ts";
import { type FoundBox, readBoxes } from "../../data/boxes/read_boxes.ts";
import { type BoxUnit, convertBox } from "../../data/images/boxes.ts";
import { type ImageSize, sizeOfId } from "../../data/images/image_id.ts";
import { imagesIn } from "../../data/datasets/prompt_images.ts";
import type { Row } from "../charts/chart.ts";

/** A box of an answer. */
interface GoldBox {
  /** Left, top, right, bottom as fractions of the image's sides; may lie outside of it. */
  readonly box: Box;
  readonly label: string | null;
}

/** A box that a completion says. */
interface SaidBox extends GoldBox {
  /** As written; null where it says none. */
  readonly confidence: number | null;
  /** With the gold box that it is paired with, 0 to 1; 0 where it has none. */
  readonly iou: number;
}

/** Of the coordinates of boxes: one for all, or that of answers and that of what completions say. */
export type BoxUnits = BoxUnit | { readonly answer: BoxUnit; readonly said: BoxUnit };

export interface Picture {
  /** Of the images, in the order of the prompt; boxes are those of the first. */
  readonly ids: readonly string[];
  /** Null where the answer is words. */
  readonly boxes: {
    readonly gold: readonly GoldBox[];
    readonly said: readonly SaidBox[];
    /** Mean IoU of the pairs over the larger count, 0 to 1; of none rightly said none 1; 0 where they cannot be read. */
    readonly iou: number;
    /** Why the completion's boxes cannot be read, or not all; null where they can. */
    readonly problem: string | null;
  } | null;
  /** What is right, and what was said: the part that is judged. */
  readonly answer: string;
  readonly said: string;
  /** Null where no verifier judged. */
  readonly correct: boolean | null;
}

/** Letters of an answer and of what was said that a caption has. */
const MOST_LETTERS = 60;

/** Images of one prompt that are shown. */
const MOST_IMAGES = 8;

/**
 * The picture of a completion or evaluation, a row with `prompt`, `answer`, `text` and `correct`; null where its prompt has
 * no image. `unit` is that of the boxes' coordinates. IoU, which no unit changes, is of all pairs with a shared area.
 */
export function pictureOf(row: Row, unit: BoxUnits): Picture | null {
  const ids = imagesIn(String(row["prompt"] ?? "")).slice(0, MOST_IMAGES);
  if (ids.length === 0) return null;
  const [answer, text] = [String(row["answer"] ?? ""), String(row["text"] ?? "")];
  const correct = row["correct"];
  return {
    ids,
    boxes: boxesOf(answer, text, sizeOfId(ids[0]!), typeof unit === "string" ? { answer: unit, said: unit } : unit),
    answer: shortened(answer),
    said: shortened(text),
    correct: typeof correct === "boolean" ? correct : null,
  };
}

function boxesOf(
  answer: string,
  text: string,
  size: ImageSize,
  unit: { readonly answer: BoxUnit; readonly said: BoxUnit },
): Picture["boxes"] {
  const wanted = readBoxes(answer);
  // Words are no boxes; an answer of none is.
  if (wanted.problem !== null && wanted.boxes.length === 0) return null;
  const found = readBoxes(text), most = Math.max(found.boxes.length, wanted.boxes.length);
  const inThousandths = (boxes: readonly FoundBox[], unit: BoxUnit) =>
    boxes.map((one) => ({ ...one, box: convertBox(one.box, size, unit, "thousandths") }));
  const gold = inThousandths(wanted.boxes, unit.answer), said = inThousandths(found.boxes, unit.said);
  const matches = matchBoxes(said, gold, { matching: "greedy", threshold: 0 });
  const drawn = ({ box, label }: FoundBox) => ({ box: fractions(box), label });
  return {
    gold: gold.map(drawn),
    said: said.map((one, i) => ({ ...drawn(one), confidence: one.confidence, iou: matches[i]!.iou })),
    iou: found.problem !== null ? 0 : most === 0 ? 1 : matches.reduce((sum, { iou }) => sum + iou, 0) / most,
    problem: found.problem,
  };
}

/** Of thousandths. Swapped corners are drawn as the box between them: they have no area, which their IoU of 0 says. */
function fractions(box: Box): Box {
  const [x1, y1, x2, y2] = box.map((value) => value / 1000) as unknown as Box;
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

/** What is judged of a text, on one line; of one that is cut off before its answer ends all of it. */
function shortened(text: string): string {
  const line = (judgedText(text) ?? text).slice(0, 4 * MOST_LETTERS).replaceAll(/\s+/g, " ").trim();
  return line.length > MOST_LETTERS ? `${line.slice(0, MOST_LETTERS)}…` : line;
}

/** How well a picture's completion did, 0 to 1, for an order of them: its IoU, or of words whether they are right. */
export function measureOf({ boxes, correct }: Picture): number | null {
  return boxes?.iou ?? (correct === null ? null : correct ? 1 : 0);
}

/** A completion may say any number. */
export const shownConfidence = (x: number) => Math.abs(x) < 100 ? x.toFixed(2) : x.toExponential(1);

/** A picture in words, for who does not see it and for a caption: how it is judged, and what of its boxes or words. */
export function captionOf(
  { boxes, answer, said, correct }: Picture,
): { readonly verdict: string; readonly text: string } {
  const verdict = correct === null ? "" : correct ? "✓ right" : "✗ wrong";
  if (boxes === null) {
    const words = said === "" ? "said nothing" : `said “${said}”`;
    return { verdict, text: correct === true ? words : `${words}, answer “${answer}”` };
  }
  const { gold, problem } = boxes, count = boxes.said.length;
  if (problem !== null) {
    return { verdict, text: count === 0 ? `no boxes said: ${problem}` : `not all boxes read: ${problem}` };
  }
  const counts = gold.length === 1 && count === 1
    ? ""
    : `, ${count === 0 ? "no box" : count === 1 ? "1 box" : `${count} boxes`} said of ${gold.length || "none"}`;
  // Of one box all that its label says, which has no room in a small image.
  const confidence = count === 1 ? boxes.said[0]!.confidence : null;
  const sure = confidence === null ? "" : ` · conf. ${shownConfidence(confidence)}`;
  return { verdict, text: `IoU ${boxes.iou.toFixed(2)}${sure}${counts}` };
}
