/** Reads what completions of visual tasks say: what stands in answer tags, boxes with confidences, one box. @module */

/** Corners [x1, y1, x2, y2], x to the right, y down. */
export type Box = readonly [x1: number, y1: number, x2: number, y2: number];

const OPEN = "<answer>", CLOSE = "</answer>";

/** What stands in the first answer tags, trimmed; without them the whole text. */
export function tagged(text: string): string {
  const start = text.indexOf(OPEN), end = start < 0 ? -1 : text.indexOf(CLOSE, start);
  return (end < 0 ? text : text.slice(start + OPEN.length, end)).trim();
}

/**
 * The boxes of `[{'Position': [x1, y1, x2, y2], 'Confidence': c}, …]` in answer tags; null for another text. Single quotes
 * count as double ones, as the answers of Visual-RFT have them.
 */
export function detectedBoxes(text: string): readonly Box[] | null {
  let list: unknown;
  try {
    list = JSON.parse(tagged(text).replaceAll("'", '"'));
  } catch {
    return null; // a text of the model that is no list
  }
  if (!Array.isArray(list)) return null;
  const boxes = list.map((one) => (one as { readonly Position?: unknown } | null)?.Position);
  return boxes.every(isBox) ? boxes : null;
}

const isBox = (value: unknown): value is Box =>
  Array.isArray(value) && value.length === 4 &&
  value.every((part) => typeof part === "number" && Number.isFinite(part));

const WHERE = /^\(\s*(\d+)\s*,\s*(\d+)\s*\)\s*,\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)$/;

/** The box of `(x1,y1),(x2,y2)`, in answer tags or alone; null for another text. */
export function groundedBox(text: string): Box | null {
  const found = WHERE.exec(tagged(text));
  return found === null ? null : found.slice(1).map(Number) as unknown as Box;
}

/** Intersection over union of two boxes, 0 to 1; 0 where one has no area or swapped corners. */
export function overlap(a: Box, b: Box): number {
  const area = ([x1, y1, x2, y2]: Box) => Math.max(0, x2 - x1) * Math.max(0, y2 - y1);
  const shared = area([Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]);
  return shared === 0 ? 0 : shared / (area(a) + area(b) - shared);
}

/** Above this overlap a box is the true one. */
const MATCHED = 0.5;

/** Whether a box is this true one. */
export const isMatch = (found: Box, truth: Box): boolean => overlap(found, truth) > MATCHED;

/**
 * Whether `found` are these true boxes and no others: each matches one. True boxes that do not overlap share no match, as
 * more than half of the found box would have to lie in each.
 */
export function allMatch(found: readonly Box[], truth: readonly Box[]): boolean {
  return found.length === truth.length && truth.every((one) => found.some((other) => isMatch(other, one)));
}
