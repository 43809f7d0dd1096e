/** The memory that all models of a run may take together, and how much of a batch fits what is left of it. @module */

/** Bytes of the process before any model: Deno, the library, the code. */
export const PROCESS_BYTES = 250e6;

/** The part of a budget that nothing gets: it is for garbage that is not collected yet, and for small tables. */
const KEPT_BACK = 0.05;

const OF_ENCODED = 50; // Measured: 41 to 50 of graphs of 2 to 24 layers, trained, recomputed, decoded.

/** What ONNX Runtime takes to hold a loaded model without constants, besides what its runs take; `encoded` in bytes. */
export function sessionBytes({ length: encoded }: Uint8Array): number {
  return OF_ENCODED * encoded;
}

/** What of a budget can be given away, bytes. */
export function usable(budget: number): number {
  return budget * (1 - KEPT_BACK);
}

/** The smallest budget that has so many bytes to give away. */
export function budgetFor(bytes: number): number {
  return bytes / (1 - KEPT_BACK);
}

export class MemoryBudget {
  readonly #held = new Map<object, () => number>();

  /** bytes   of the whole process */
  constructor(readonly bytes: number) {}

  /** Counts what lasts as long as its owner: weights, a gradient, moments. A second time in place of the first. */
  hold(owner: object, bytes: () => number): void {
    this.#held.set(owner, bytes);
  }

  /** What `owner` held is free again. */
  letGo(owner: object): void {
    this.#held.delete(owner);
  }

  /** Bytes that are left for a pass. */
  get free(): number {
    return [...this.#held.values()].reduce((left, bytes) => left - bytes(), usable(this.bytes) - PROCESS_BYTES);
  }

  /** The smallest budget in which a pass of so many bytes had room beside what is held now. */
  wantedFor(bytes: number): number {
    return budgetFor(usable(this.bytes) - this.free + bytes);
  }
}

/**
 * The most of `most` equal things that fit into `free` bytes at once, so that all are done in as few turns as may be, each
 * of about the same size; 0 where not one fits.
 *
 * bytesOf   bytes of so many at once, which grows with them, nearly in a straight line
 */
export function atOnce(free: number, most: number, bytesOf: (count: number) => number): number {
  const one = bytesOf(1);
  if (!(one <= free)) return 0;
  if (most <= 1 || bytesOf(most) <= free) return Math.max(most, 1);
  const more = Math.max(bytesOf(2) - one, 1);
  let count = Math.min(most, 1 + Math.floor((free - one) / more));
  for (let bytes = bytesOf(count); count > 1 && bytes > free; bytes = bytesOf(count)) {
    count = Math.max(1, count - Math.max(1, Math.ceil((bytes - free) / more)));
  }
  return Math.ceil(most / Math.ceil(most / count));
}
