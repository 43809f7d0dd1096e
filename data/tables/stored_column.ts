/** A column whose values stay where they are stored until a row of it is looked at. @module */
import type { FileColumn } from "./arrow_file.ts";

/** A stretch of a column: rows of one file, or rows that have no value because their file lacks the column. */
interface Stretch {
  readonly rows: number;
  readonly stored: FileColumn | null;
}

/**
 * A column as Arquero takes one. Numbers are read as one array when first asked for; of texts and lists only the rows that
 * are looked at are unpacked.
 */
export class StoredColumn {
  readonly length: number;
  /** The first row of each stretch. */
  readonly #starts: readonly number[];
  #values: ArrayLike<unknown> | null = null;
  /** The stretch that was looked at last: rows are mostly asked for in their order. */
  #last = 0;

  constructor(readonly stretches: readonly Stretch[], readonly isNumbers: boolean) {
    const starts: number[] = [];
    let length = 0;
    for (const { rows } of stretches) {
      starts.push(length);
      length += rows;
    }
    [this.#starts, this.length] = [starts, length];
  }

  at(row: number): unknown {
    if (this.#values === null && this.isNumbers) this.toArray();
    if (this.#values !== null) return this.#values[row];
    if (!(row >= 0 && row < this.length)) return undefined;
    const index = this.#stretchOf(row), { stored } = this.stretches[index]!;
    if (stored === null) return null;
    stored.fill();
    return stored.column.at(row - this.#starts[index]!);
  }

  /** All values: a typed array of numbers that are all there, else a plain one. Do not write to it. */
  toArray(): ArrayLike<unknown> {
    return this.#values ??= this.#unpacked();
  }

  *[Symbol.iterator](): Iterator<unknown> {
    for (let row = 0; row < this.length; row++) yield this.at(row);
  }

  #stretchOf(row: number): number {
    const starts = this.#starts;
    const holds = (index: number) => starts[index]! <= row && row < (starts[index + 1] ?? this.length);
    if (holds(this.#last)) return this.#last;
    let low = 0, high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= row) low = middle;
      else high = middle - 1;
    }
    return this.#last = low;
  }

  #unpacked(): ArrayLike<unknown> {
    const parts = this.stretches.map(({ rows, stored }) => {
      stored?.fill();
      return stored ? stored.column.toArray() as ArrayLike<unknown> : new Array<null>(rows).fill(null);
    });
    const [first] = parts;
    for (const type of [Int32Array, Float32Array, Float64Array]) {
      if (first instanceof type && parts.every((part) => part instanceof type)) {
        return joined(new type(this.length), parts);
      }
    }
    const out = new Array<unknown>(this.length);
    let row = 0;
    for (const part of parts) for (let i = 0; i < part.length; i++) out[row++] = part[i];
    return out;
  }
}

function joined<Numbers extends Int32Array | Float32Array | Float64Array>(
  out: Numbers,
  parts: readonly ArrayLike<unknown>[],
): Numbers {
  let offset = 0;
  for (const part of parts as readonly Numbers[]) {
    out.set(part, offset);
    offset += part.length;
  }
  return out;
}
