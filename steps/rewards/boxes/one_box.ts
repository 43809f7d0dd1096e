/** Judges the one box of a completion by that of its answer. @module */
import type { Box } from "../../../data/boxes/iou.ts";
import { readBoxes } from "../../../data/boxes/read_boxes.ts";
import type { RewardBatch } from "../reward.ts";
import { toAnswerUnit, type UnitOptions } from "./box_units.ts";
import { wantedBox } from "./wanted_boxes.ts";

/** `measure` of completion i's box and the true one; 0 without a box or with several; null for a prompt without an answer. */
export function judgeOneBox(
  reward: string,
  units: UnitOptions,
  batch: RewardBatch,
  i: number,
  measure: (found: Box, wanted: Box) => number,
): number | null {
  const wanted = wantedBox(reward, batch, i);
  if (wanted === null) return null;
  const { boxes: [found, ...more], problem } = readBoxes(batch.texts[i]!),
    convert = toAnswerUnit(reward, units, batch, i);
  return problem === null && found && more.length === 0 ? measure(convert(found.box), wanted.box) : 0;
}
