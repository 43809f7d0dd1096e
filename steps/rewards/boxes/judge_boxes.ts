/** Judges the boxes of a completion by those of its answer. @module */
import { z } from "zod";
import { SAME_BOX } from "../../../data/boxes/iou.ts";
import { type Match, matchBoxes } from "../../../data/boxes/match.ts";
import { type FoundBox, readBoxes } from "../../../data/boxes/read_boxes.ts";
import type { RewardBatch } from "../reward.ts";
import { toAnswerUnit, UNIT_PARAMS } from "./box_units.ts";
import { wantedBoxes } from "./wanted_boxes.ts";

/** Options of matching, and of units. */
export const MATCH_PARAMS = {
  matching: z.enum(["greedy", "hungarian"]).default("greedy").describe(
    "which found box is which true one: greedy: the most confident chooses first, what it covers best; hungarian: the pairs whose IoUs have the largest sum",
  ),
  iou_threshold: z.number().min(0).max(1).default(SAME_BOX).describe(
    "least IoU with which a found box is a true one; 0: whatever overlaps",
  ),
  ...UNIT_PARAMS,
} as const;

type MatchOptions = z.output<z.ZodObject<typeof MATCH_PARAMS>>;

/** Found boxes, at least one, and what became of each; `wanted`: number of true boxes. */
export interface Judged {
  readonly found: readonly FoundBox[];
  readonly matches: readonly Match[];
  readonly wanted: number;
}

/**
 * `measure` of completion i's boxes; without boxes 1 where there are none, else 0; 0 for a text that is no list of
 * boxes; null for a prompt without an answer.
 */
export function judgeBoxes(
  reward: string,
  { matching, iou_threshold: threshold, ...units }: MatchOptions,
  batch: RewardBatch,
  i: number,
  measure: (judged: Judged) => number,
): number | null {
  const wanted = wantedBoxes(reward, batch, i);
  if (wanted === null) return null;
  const { boxes, problem } = readBoxes(batch.texts[i]!), convert = toAnswerUnit(reward, units, batch, i);
  if (problem !== null) return 0;
  const found = boxes.map((one) => ({ ...one, box: convert(one.box) }));
  if (found.length === 0) return wanted.length === 0 ? 1 : 0;
  return measure({ found, matches: matchBoxes(found, wanted, { matching, threshold }), wanted: wanted.length });
}
