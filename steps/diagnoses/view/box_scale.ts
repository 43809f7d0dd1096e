/**
 * How boxes that were said lie to the gold ones: by which factors they are the same boxes in other coordinates.
 *
 * Coordinates of another system have their origin in the same corner, so all four numbers of a box are the gold ones times
 * one factor across and one down: those of its picture, for pictures of one size the same in all. A policy that does not
 * see where things are says boxes that fit those of other pictures as well, which is looked at too.
 * @module
 */
import { type Box, iou } from "../../../data/boxes/iou.ts";
import { median } from "./numbers.ts";
import type { Completion } from "./run_view.ts";

const BOX = /\[\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\]/;

/** Overlap of a said box with the gold one times its factors from which they are the same box. */
const SAME_BOX = 0.7;
/** Other pictures' gold boxes that a said box is compared with. */
const OTHERS = 8;

/** The first box in a text, where it is one: with an area. */
export function firstBox(text: string | null): Box | null {
  const [, ...written] = BOX.exec(text ?? "") ?? [];
  const [left, top, right, bottom] = written.map(Number);
  if (left === undefined || top === undefined || right === undefined || bottom === undefined) return null;
  return right > left && bottom > top ? [left, top, right, bottom] : null;
}

export interface BoxPair {
  readonly gold: Box;
  /** What is said of this gold box, number by number the median. */
  readonly said: Box;
  readonly row: Completion;
}

/** One pair for each gold box: completions of one prompt are no independent ones. */
export function boxPairs(rows: readonly Completion[]): BoxPair[] {
  const asked = Map.groupBy(rows, ({ prompt, answer }) => `${prompt ?? ""}\n${answer ?? ""}`);
  const pairs = new Map<string, BoxPair>();
  for (const own of asked.values()) {
    const gold = firstBox(own[0]!.answer);
    const said = own.flatMap((row) => {
      const box = firstBox(row.text);
      return box === null ? [] : [{ row, box }];
    });
    if (gold === null || said.length === 0) continue;
    const middle = [0, 1, 2, 3].map((at) => median(said.map(({ box }) => box[at]!)));
    pairs.set(gold.join(), { gold, said: middle as unknown as Box, row: said[0]!.row });
  }
  return [...pairs.values()];
}

interface Factors {
  readonly across: number;
  readonly down: number;
}

/** Least squares without a constant: the origin is the same. */
function factorsOf(said: Box, gold: Box): Factors {
  const along = (from: 0 | 1, to: 2 | 3) =>
    (said[from] * gold[from] + said[to] * gold[to]) / (gold[from] ** 2 + gold[to] ** 2);
  return { across: along(0, 2), down: along(1, 3) };
}

function fits(said: Box, [x1, y1, x2, y2]: Box, { across, down }: Factors): boolean {
  return iou(said, [x1 * across, y1 * down, x2 * across, y2 * down]) >= SAME_BOX;
}

interface BoxScale {
  readonly factors: readonly Factors[];
  /** Share of the pairs that fit, and of said boxes that fit the gold box of another picture. */
  readonly fitting: number;
  readonly fittingOthers: number;
}

/** With the factors of each picture, or with those in the middle for all. */
export function boxScale(pairs: readonly BoxPair[], each: boolean): BoxScale {
  const factors = pairs.map(({ said, gold }) => factorsOf(said, gold));
  const all = { across: median(factors.map(({ across }) => across)), down: median(factors.map(({ down }) => down)) };
  const fitted = (said: Box, gold: Box) => fits(said, gold, each ? factorsOf(said, gold) : all);
  const others = pairs.flatMap(({ said }, at) =>
    Array.from(
      { length: Math.min(OTHERS, pairs.length - 1) },
      (_, i) => fitted(said, pairs[(at + i + 1) % pairs.length]!.gold),
    )
  );
  const share = (list: readonly boolean[]) => list.filter(Boolean).length / Math.max(1, list.length);
  return { factors, fitting: share(pairs.map(({ said, gold }) => fitted(said, gold))), fittingOthers: share(others) };
}
