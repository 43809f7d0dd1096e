/** Quantiles of a stream of numbers, of an even sample of it where there are many. @module */

/** Numbers that are kept; then every other one is let go, and every other one to come not taken. */
const MOST = 20_000;

export interface Spread {
  readonly least: number;
  readonly median: number;
  readonly p95: number;
  readonly most: number;
}

export class Quantiles {
  #kept: number[] = [];
  #every = 1;
  #count = 0;
  #least = Infinity;
  #most = -Infinity;
  #sorted: { readonly at: number; readonly values: number[] } | null = null;

  add(value: number): void {
    this.#least = Math.min(this.#least, value);
    this.#most = Math.max(this.#most, value);
    if (this.#count++ % this.#every !== 0) return;
    this.#kept.push(value);
    if (this.#kept.length <= MOST) return;
    this.#kept = this.#kept.filter((_, i) => i % 2 === 0);
    this.#every *= 2;
  }

  /** The quantile of what was there when a tenth less was; null of nothing. Exact at the end. */
  at(share: number, exact = false): number | null {
    if (this.#kept.length === 0) return null;
    if (!this.#sorted || exact || this.#count > this.#sorted.at * 1.1) {
      this.#sorted = { at: this.#count, values: [...this.#kept].sort((a, b) => a - b) };
    }
    const { values } = this.#sorted;
    return values[Math.min(values.length - 1, Math.floor(share * values.length))]!;
  }

  end(): Spread {
    return { least: this.#least, median: this.at(0.5, true)!, p95: this.at(0.95)!, most: this.#most };
  }
}
