/**
 * Decides which split a prompt belongs to, by a hash of its content: the same prompt is in the same split in every run,
 * whatever the seed, the order or the other prompts.
 * @module
 */

/** Shares of the splits; they add up to 1. */
export interface SplitFractions {
  readonly train: number;
  readonly validation: number;
  readonly held_out: number;
}

export type Split = keyof SplitFractions;

/** What other projects call our splits. */
export const SPLIT_NAMES: Readonly<Record<string, Split>> = {
  train: "train",
  training: "train",
  validation: "validation",
  valid: "validation",
  val: "validation",
  dev: "validation",
  held_out: "held_out",
  test: "held_out",
};

/** A number in [0, 1) from a text: FNV-1a over its UTF-8 bytes with murmur3's finaliser, 32 bits. */
export function contentFraction(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** Two hashes of 32 bits as one number of 53: among five million texts a false pair is one in a thousand runs. */
export function fingerprint(text: string): number {
  return Math.floor(contentFraction(text) * 2 ** 32) * 2 ** 21 + Math.floor(contentFraction(`2 ${text}`) * 2 ** 21);
}

/**
 * Shares to split a folder's train rows by. What the folder has as a split of its own is not taken from them as well.
 *
 * own   splits that its files are of; null among them where nothing says it
 */
export function remainingFractions(splits: SplitFractions, own: ReadonlySet<Split | null>): SplitFractions {
  if (own.has(null)) return splits;
  const validation = own.has("validation") ? 0 : splits.validation;
  const held_out = own.has("held_out") ? 0 : splits.held_out;
  return { validation, held_out, train: 1 - validation - held_out };
}

/** The split of a content: held_out below its fraction, then validation, the rest train. */
export function splitOf(content: string, fractions: SplitFractions): Split {
  const place = contentFraction(`split ${content}`);
  if (place < fractions.held_out) return "held_out";
  return place < fractions.held_out + fractions.validation ? "validation" : "train";
}

/** Rows in an order that has nothing to do with their content, so that any first n are a fair sample. */
export function hashOrder<Row>(rows: readonly Row[], contentOf: (row: Row) => string): Row[] {
  const keyed = rows.map((row, index) => ({ row, index, place: placeInOrder(contentOf(row)) }));
  return keyed.sort((a, b) => a.place - b.place || a.index - b.index).map(({ row }) => row);
}

/** Where a content stands in that order. */
export function placeInOrder(content: string): number {
  return contentFraction(`order ${content}`);
}
