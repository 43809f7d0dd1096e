/** Several rows in one, so that little of a batch is padding; they do not see each other. @module */
import type { TrainBatch } from "../../gpu/language_model.ts";
import type { SupervisedExample } from "./examples.ts";

/**
 * Which rows share a packed row of at most `size` tokens: best fit, the longest first (TRL `packing_strategy` bfd).
 * Rows of equal length keep their order. RangeError for a row that is longer.
 *
 * returns   lists of row numbers, each list in the order in which rows were put into it
 */
export function packRows(lengths: readonly number[], size: number): number[][] {
  const longest = lengths.findIndex((length) => length > size);
  if (longest >= 0) {
    throw new RangeError(
      `Cannot pack rows of ${size} tokens: row ${longest} has ${
        lengths[longest]
      }, want no row longer than a packed one; ` +
        "raise packing, or set max_length",
    );
  }
  const order = lengths.map((_, row) => row).sort((a, b) => lengths[b]! - lengths[a]! || a - b);
  const bins: { readonly rows: number[]; room: number }[] = [];
  // Bins by the room they have left, so that the best fit is the first that is large enough.
  const byRoom = new Map<number, { readonly rows: number[]; room: number }[]>();
  for (const row of order) {
    const length = lengths[row]!;
    let room = length;
    while (room <= size && !byRoom.get(room)?.length) room++;
    const bin = byRoom.get(room)?.shift() ?? { rows: [], room: size };
    if (bin.rows.length === 0) bins.push(bin);
    bin.rows.push(row);
    bin.room -= length;
    byRoom.set(bin.room, [...byRoom.get(bin.room) ?? [], bin]);
  }
  return bins.map(({ rows }) => rows);
}

/** A batch of packed rows: of each its first token as the prompt, and no token that begins a sequence counts. */
export function packedBatch(rows: readonly (readonly SupervisedExample[])[]): TrainBatch {
  const packed = rows.map((examples) => {
    const ids: number[] = [], mask: number[] = [], segments: number[] = [];
    examples.forEach(({ prompt, completion, mask: counted }, segment) => {
      ids.push(...prompt, ...completion);
      mask.push(...prompt.map(() => 0), ...counted);
      for (let t = 0; t < prompt.length + completion.length; t++) segments.push(segment);
    });
    return { ids, mask, segments };
  });
  return {
    prompts: packed.map(({ ids }) => ids.slice(0, 1)),
    group: 1,
    completions: packed.map(({ ids }) => ids.slice(1)),
    completionMask: packed.map(({ mask }) => mask.slice(1)),
    segments: packed.map(({ segments }) => segments.slice(1)),
  };
}
