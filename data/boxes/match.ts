/** Says which found box is which wanted one. @module */
import { bestAssignment } from "./hungarian.ts";
import { type Box, iou } from "./iou.ts";

/**
 * greedy: the most confident first (without confidence last, equal ones as they stand), each takes the free wanted box
 * it covers best (Visual-RFT grpo.py sort_and_calculate_iou). hungarian: the pairs whose IoUs have the largest sum.
 */
export type Matching = "greedy" | "hungarian";

/** What became of a found box. */
export interface Match {
  /** Number of its wanted box, from 0; null where it has none. */
  readonly wanted: number | null;
  /** IoU with it; 0 where it has none. */
  readonly iou: number;
}

interface Found {
  readonly box: Box;
  readonly confidence: number | null;
}

interface Options {
  readonly matching: Matching;
  /** Least IoU of a pair, 0 to 1; with 0 any shared area is enough. */
  readonly threshold: number;
}

/** One match per found box, in the order of `found`; no two have the same wanted box. */
export function matchBoxes(
  found: readonly Found[],
  wanted: readonly { readonly box: Box }[],
  { matching, threshold }: Options,
): readonly Match[] {
  const overlaps = found.map(({ box }) =>
    wanted.map((one) => {
      const overlap = iou(box, one.box);
      return overlap >= threshold ? overlap : 0;
    })
  );
  const pairs = matching === "greedy" ? greedy(found, overlaps) : bestAssignment(overlaps);
  return overlaps.map((row, i) => {
    const at = pairs[i]!, overlap = at === null ? 0 : row[at]!;
    return overlap > 0 ? { wanted: at, iou: overlap } : { wanted: null, iou: 0 };
  });
}

function greedy(found: readonly Found[], overlaps: readonly (readonly number[])[]): (number | null)[] {
  const rank = ({ confidence }: Found) =>
    confidence !== null && Number.isFinite(confidence) ? confidence : -Number.MAX_VALUE;
  const order = found.map((_, i) => i).sort((a, b) => rank(found[b]!) - rank(found[a]!));
  const pairs: (number | null)[] = found.map(() => null), isTaken = new Set<number>();
  for (const i of order) {
    let best = 0;
    overlaps[i]!.forEach((overlap, at) => {
      if (overlap > best && !isTaken.has(at)) [best, pairs[i]] = [overlap, at];
    });
    if (pairs[i] !== null) isTaken.add(pairs[i]!);
  }
  return pairs;
}
