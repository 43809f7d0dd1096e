/**
 * What is not a record and still tells how many updates lie between records: the bar of the trainer as it stands between
 * them, `12%|█▏ | 30/250 [00:25<…`, and the summary at the end.
 *
 * A bar is drawn late and never early: before the record of train step n it shows at most n, after it at least n.
 * @module
 */

const MAX_BARS = 16;
const BAR = /^\s*\d{1,3}%\|[^|]{0,300}\|\s*(\d{1,9})\/(\d{1,9})\s*\[/;
/** Least records that a bar must agree with. */
const RECORDS = 2;

/** Updates from one record to the next lie between these two. */
interface Bounds {
  low: number;
  high: number;
}

interface Bar {
  done: number;
  /** A record was printed since it was drawn last. */
  waits: boolean;
  /** It went back: it is that of another run, or of something that is done again and again. */
  broken: boolean;
  /** With the first record at the first multiple of the interval, and with one more at train step 1. */
  readonly plain: Bounds;
  readonly first: Bounds;
}

/** Updates between two records, and whether the first record is that of train step 1. */
export interface Interval {
  readonly updates: number;
  readonly first: boolean;
}

/** What the summary at the end of training says. */
export interface Summary {
  readonly updates: number;
  /** How far `updates` may be off, as a share of it. */
  readonly error: number;
  readonly epoch: number;
}

export class Progress {
  summary: Summary | null = null;
  readonly #bars = new Map<number, Bar>();
  #records = 0;

  /** Takes a line where a bar without a name stands at its beginning. */
  line(text: string): void {
    const found = BAR.exec(text);
    if (found === null) return;
    const done = Number(found[1]), total = Number(found[2]);
    let bar = this.#bars.get(total);
    if (bar === undefined) {
      if (this.#bars.size >= MAX_BARS) return;
      const open = () => ({ low: 0, high: Infinity });
      this.#bars.set(total, bar = { done, waits: this.#records > 0, broken: false, plain: open(), first: open() });
    }
    if (done < bar.done) bar.broken = true;
    if (bar.waits) {
      bar.plain.high = Math.min(bar.plain.high, done / this.#records);
      if (this.#records > 1) bar.first.high = Math.min(bar.first.high, done / (this.#records - 1));
    }
    Object.assign(bar, { done, waits: false });
  }

  /** A record was printed. */
  record(): void {
    const n = ++this.#records;
    for (const bar of this.#bars.values()) {
      bar.waits = true;
      bar.plain.low = Math.max(bar.plain.low, bar.done / n);
      bar.first.low = Math.max(bar.first.low, n === 1 ? bar.done > 1 ? Infinity : 0 : bar.done / (n - 1));
    }
  }

  /**
   * What the bars leave possible, where that is one thing; null where they tell nothing or several things. A first record
   * at train step 1 is believed only where nothing else is possible.
   */
  get interval(): Interval | null {
    const n = this.#records;
    if (n < RECORDS) return null;
    const bars = [...this.#bars].filter(([, { broken, plain }]) => !broken && plain.high < Infinity);
    const plain = bars.flatMap(([total, { plain }]) => between({ ...plain, most: total / n }));
    const updates = plain.length > 0
      ? plain
      : bars.flatMap(([total, { first }]) =>
        between({ low: Math.max(2, first.low), high: first.high, most: total / (n - 1) })
      );
    return updates.length === 1 ? { updates: updates[0]!, first: plain.length === 0 } : null;
  }
}

/** Whole numbers within the bounds, at most two of them. */
function between({ low, high, most }: Bounds & { readonly most: number }): number[] {
  const from = Math.max(1, Math.ceil(low)), to = Math.min(Math.floor(Math.min(high, most)), from + 1);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}
