/**
 * Reads boxes out of a completion or an answer, in the forms that models write them:
 *
 *     [{'Position': [x1, y1, x2, y2], 'Confidence': 0.9}]        Visual-RFT; JSON or Python, either quotes
 *     [{"bbox_2d": [x1, y1, x2, y2], "label": "cat"}]            Qwen2.5-VL, also fenced as ```json
 *     <|box_start|>(x1,y1),(x2,y2)<|box_end|>                    Qwen2-VL, also without the marks
 *     [x1, y1, x2, y2]   [[x1, y1, x2, y2], …]                   plain lists
 *     No Objects   []                                            none
 *
 * @module
 */
import type { Box } from "./iou.ts";
import { judgedText } from "./judged_text.ts";
import { readLiteral } from "./literal.ts";

export interface FoundBox {
  readonly box: Box;
  /** As written, within 0 to 1 or not; null where it is missing or no finite number. */
  readonly confidence: number | null;
  readonly label: string | null;
}

interface Reading {
  readonly boxes: readonly FoundBox[];
  /** Why the text is no answer; the boxes that could be read are there all the same. Null for an answer, also of none. */
  readonly problem: string | null;
}

/** More boxes in a text are no answer: as many as LVIS's evaluation takes of an image. */
export const MOST_BOXES = 300;

const POSITION = ["position", "bbox_2d", "bbox", "box_2d", "box"];
const CONFIDENCE = ["confidence", "score"];
const LABEL = ["label", "name", "category"];

const N = String.raw`\s*(-?\d+(?:\.\d+)?)\s*`;
/** The pattern of `(x1,y1),(x2,y2)`, in groups its numbers; `between` is that of what may stand between the corners. */
export const cornerPair = (between: string) => String.raw`\(${N},${N}\)${between}\(${N},${N}\)`;
/** Nothing, or a comma, with space. */
export const BETWEEN = String.raw`\s*(?:,\s*)?`;
const CORNERS = new RegExp(String.raw`<\|object_ref_start\|>([^<]*)<\|object_ref_end\|>|${cornerPair(BETWEEN)}`, "g");

/** "No Objects", in quotes or a list or not. */
const saysNone = (text: string) => text.length < 40 && /^noobjects?$/i.test(text.replaceAll(/["'[\]\s.]/g, ""));

/** The boxes in the judged part of a text (`judgedText`), in any unit; never throws, in time proportional to its length. */
export function readBoxes(text: string): Reading {
  const judged = judgedText(text);
  if (judged === null) return { boxes: [], problem: "its answer is not closed" };
  const body = withoutFence(judged);
  if (saysNone(body)) return { boxes: [], problem: null };
  const corners = boxesOfCorners(body);
  if (corners.length > 0 && !/[{]/.test(body)) return limited(corners, null);
  const start = body.search(/[[{]/), end = Math.max(body.lastIndexOf("]"), body.lastIndexOf("}"));
  if (start < 0) return { boxes: [], problem: "it has no boxes" };
  // Words may stand before and after a list.
  const read = readLiteral(body.slice(start, end > start ? end + 1 : undefined));
  return "problem" in read ? { boxes: [], problem: `it is no list of boxes: ${read.problem}` } : boxesOf(read.value);
}

/** What stands in the first fence of three backticks, without the language's name; else the text. */
function withoutFence(text: string): string {
  const start = text.indexOf("```");
  if (start < 0) return text;
  const end = text.indexOf("```", start + 3);
  return text.slice(start + 3, end < 0 ? undefined : end).replace(/^\w*/, "").trim();
}

/** Every "(x1,y1),(x2,y2)" of a text, with the name that Qwen2-VL puts before it. */
function boxesOfCorners(text: string): FoundBox[] {
  const boxes: FoundBox[] = [];
  let label: string | null = null;
  for (const [, name, ...corners] of text.matchAll(CORNERS)) {
    if (name !== undefined) label = name.trim();
    else boxes.push({ box: corners.map(Number) as unknown as Box, confidence: null, label });
  }
  return boxes;
}

const isList = Array.isArray as (value: unknown) => value is readonly unknown[];

function boxesOf(value: unknown): Reading {
  const isOne = !isList(value) || (value.length > 0 && value.every((one) => typeof one === "number"));
  const boxes: FoundBox[] = [];
  let problem: string | null = null;
  for (const [i, item] of (isOne ? [value] : value).entries()) {
    const box = boxOf(item);
    if (box !== null) boxes.push(box);
    else problem ??= `its box ${i + 1} has no four finite numbers`;
  }
  return limited(boxes, problem);
}

function limited(boxes: readonly FoundBox[], problem: string | null): Reading {
  if (boxes.length <= MOST_BOXES) return { boxes, problem };
  return { boxes: boxes.slice(0, MOST_BOXES), problem: `it has ${boxes.length} boxes, want at most ${MOST_BOXES}` };
}

/** A record with a position, or the position alone. */
function boxOf(item: unknown): FoundBox | null {
  const fields = typeof item === "object" && item !== null && !isList(item) ? Object.entries(item) : null;
  const field = (names: readonly string[]): unknown => fields?.find(([key]) => names.includes(key.toLowerCase()))?.[1];
  const position = fields === null ? item : field(POSITION);
  if (!isList(position) || position.length !== 4 || !position.every(Number.isFinite)) return null;
  const confidence = field(CONFIDENCE), label = field(LABEL);
  return {
    box: position as unknown as Box,
    confidence: Number.isFinite(confidence) ? confidence as number : null,
    label: typeof label === "string" ? label : null,
  };
}
