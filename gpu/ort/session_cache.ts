/** Keeps the most recently used sessions and releases the others. @module */

export class SessionCache<Kept extends { release(): void }> {
  readonly #kept = new Map<string, Kept>();

  /** limit   entries kept; each holds a session, its threads and its buffers */
  constructor(readonly limit = 16) {}

  /** The entry of that key, made if it is not there; the least recently used one beyond the limit is released. */
  async get<Wanted extends Kept>(key: string, make: () => Wanted | Promise<Wanted>): Promise<Wanted> {
    const known = this.#kept.get(key);
    if (known) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known as Wanted;
    }
    while (this.#kept.size >= this.limit) {
      const [oldest, entry] = this.#kept.entries().next().value!;
      this.#kept.delete(oldest);
      entry.release();
    }
    const made = await make();
    this.#kept.set(key, made);
    return made;
  }

  get size(): number {
    return this.#kept.size;
  }

  release(): void {
    for (const entry of this.#kept.values()) entry.release();
    this.#kept.clear();
  }
}
