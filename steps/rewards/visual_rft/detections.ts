/** Detected boxes with confidences, as Visual-RFT reads them from a text and matches them with the true ones. @module */
import { taggedAnswer } from "./answer.ts";
import type { Box } from "../../../data/boxes/iou.ts";
import { iou } from "./boxes.ts";
import { sortedDescending } from "./python_sort.ts";
import { strip } from "./python_text.ts";

/** Above this IoU, strictly, a detection is the true box. */
const MATCHED = 0.5;

/** What the program it comes from would raise on: the reward is 0. */
class Malformed extends Error {}

function malformed(): never {
  throw new Malformed();
}

/** One detection after matching: the IoU with its true box, 0 where it has none, and its confidence. */
interface Match {
  readonly iou: number;
  readonly confidence: number;
}

interface Matches {
  readonly matches: readonly Match[];
  /** True boxes. */
  readonly wanted: number;
}

/** `measure` of the matches, or 0 where answer or solution is not a list of boxes. */
export function measured(text: string, solution: string, measure: (matches: Matches) => number): number {
  try {
    const answer = `<answer>${taggedAnswer(text)}</answer>`
      .replaceAll("[[", "[").replaceAll("]]", "]").replaceAll("\n", "");
    const wanted = listed(strip(solution)), found = listed(answer);
    if (!isList(found) || !isRecord(found[0])) return 0;
    const boxes = withoutRepeats(found);
    return measure({ matches: matched(wanted, boxes), wanted: (wanted as readonly unknown[]).length });
  } catch (error) {
    if (error instanceof Malformed || error instanceof RangeError) return 0;
    throw error;
  }
}

/** Sum of IoUs over the larger of both counts, at most 1 (Visual-RFT grpo.py compute_reward_iou_v2). */
export function iouReward({ matches, wanted }: Matches): number {
  return Math.min(1, matches.reduce((sum, { iou }) => sum + iou, 0) / Math.max(wanted, matches.length));
}

/**
 * Mean over detections of the confidence where the box is right, of 1 minus it where it is wrong, within 0 to 1; NaN
 * stays (Visual-RFT grpo.py compute_reward_confidence).
 */
export function confidenceReward({ matches }: Matches): number {
  const rewards = matches.map(({ iou, confidence }) => iou === 0 ? 1 - confidence : confidence);
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
  return mean > 1 ? 1 : mean < 0 ? 0 : mean;
}

const isList = Array.isArray as (value: unknown) => value is readonly unknown[];
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !isList(value);

/** A JSON number or true and false, which count as 1 and 0. */
function numberOf(value: unknown): number {
  return typeof value === "number" || typeof value === "boolean" ? Number(value) : malformed();
}

function field(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : malformed();
}

function boxOf(value: unknown): Box {
  const position = field(value, "Position");
  if (!isList(position) || position.length !== 4) return malformed();
  return position.map(numberOf) as unknown as Box;
}

/** What stands between the tags as JSON, single quotes as double ones; cut after the last whole box where it was cut off. */
function listed(text: string): unknown {
  const start = text.indexOf("<answer>");
  if (start < 0) return null;
  const end = text.indexOf("</answer>");
  let content = text.slice(start + "<answer>".length, end < 0 ? undefined : end);
  if (!content.endsWith("]")) {
    const last = content.lastIndexOf("},");
    content = `${last < 0 ? content : content.slice(0, last)}}]`;
  }
  return parsed(content.replaceAll("'", '"'));
}

/** JSON with Python's NaN, Infinity and -Infinity; null where it is none, or too deep. */
function parsed(text: string): unknown {
  const mark = "\u{F0000}";
  const marked = text.replaceAll(
    // A text that is not closed ends at the end: from each quote in it anew, the search would take minutes.
    /"(?:[^"\\]|\\.)*(?:"|\\?$)|(-?Infinity|NaN)/gs,
    (token, word?: string) => word === undefined ? token : `"${mark}${word}"`,
  );
  try {
    return JSON.parse(
      marked,
      (_, value) => typeof value === "string" && value.startsWith(mark) ? Number(value.slice(mark.length)) : value,
    );
  } catch {
    return null; // broken text is an answer of the model, worth 0
  }
}

/** The first of each position. */
function withoutRepeats(boxes: readonly unknown[]): unknown[] {
  const seen = new Set<string>();
  return boxes.filter((one) => {
    const position = field(one, "Position");
    if (typeof position !== "string" && !isList(position) && !isRecord(position)) return malformed();
    const parts: unknown[] = isRecord(position) ? Object.keys(position) : [...position];
    if (parts.some((part) => typeof part === "object" && part !== null)) return malformed();
    const key = JSON.stringify(parts.map((part) => typeof part === "string" ? `"${part}` : String(Number(part))));
    return seen.has(key) ? false : (seen.add(key), true);
  });
}

/** Most confident first; each takes the free true box that it overlaps most. */
function matched(wanted: unknown, found: readonly unknown[]): Match[] {
  const ordered = byConfidence(found);
  if (!isList(wanted)) return malformed();
  const taken = new Set<number>();
  return ordered.map((one) => {
    let best = 0, at = -1;
    wanted.forEach((truth, i) => {
      if (taken.has(i)) return;
      const overlap = iou(boxOf(truth), boxOf(one));
      if (overlap > best) [best, at] = [overlap, i];
    });
    const isMatch = best > MATCHED;
    if (isMatch) taken.add(at);
    return { iou: isMatch ? best : 0, confidence: numberOf(field(one, "Confidence")) };
  });
}

/** Descending and stable, NaN where Python leaves it; what cannot be ordered is malformed. */
function byConfidence(found: readonly unknown[]): unknown[] {
  const keyed = found.map((one) => ({ one, key: field(one, "Confidence") }));
  if (keyed.length === 1) return [...found];
  const texts = keyed.every(({ key }) => typeof key === "string");
  return sortedDescending(
    keyed.map(({ one, key }) => ({ one, key: texts ? key as string : numberOf(key) })),
    ({ key }) => key,
  ).map(({ one }) => one);
}
