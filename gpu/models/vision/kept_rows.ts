/** Numbers of images by id, those read last, up to a bound of memory. @module */

const MOST_BYTES = 1 << 28;

/** The part of a memory budget that one such store gets of it. */
const OF_BUDGET = 1 / 32;

/** Bytes that are kept at most, under a budget of so many bytes for the whole process; null: there is none. */
export function keptBytes(budget: number | null, most = MOST_BYTES): number {
  return budget === null ? most : Math.min(most, budget * OF_BUDGET);
}

export class KeptRows {
  readonly #kept = new Map<string, Float32Array>();
  #bytes = 0;

  constructor(readonly mostBytes = MOST_BYTES) {}

  /** The rows of that id, made where they are not there; what was read longest ago makes room. */
  async get(id: string, make: () => Promise<Float32Array>): Promise<Float32Array> {
    const known = this.#kept.get(id);
    if (known) {
      this.#kept.delete(id);
      this.#kept.set(id, known);
      return known;
    }
    const made = await make();
    if (this.#kept.has(id)) return made; // another caller was as fast
    this.#kept.set(id, made);
    this.#bytes += made.byteLength;
    for (const [oldest, { byteLength }] of this.#kept) {
      if (this.#bytes <= this.mostBytes || oldest === id) break;
      this.#kept.delete(oldest);
      this.#bytes -= byteLength;
    }
    return made;
  }

  get bytes(): number {
    return this.#bytes;
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }
}
