/** Counts what a column holds: types, nulls, empty cells. @module */
import { isObject } from "../datasets/cells.ts";

export interface ColumnSurvey {
  readonly name: string;
  /** As the file says, else as the values are, the most frequent first. */
  readonly type: string;
  readonly nulls: number;
  readonly empty: number;
}

/** What is counted of a column. */
export class ColumnCount {
  readonly #types = new Map<string, number>();
  #nulls: number;
  #empty = 0;

  /** Rows before the first that has it are null. */
  constructor(before: number) {
    this.#nulls = before;
  }

  add(value: unknown): void {
    if (value === null || value === undefined) {
      this.#nulls++;
      return;
    }
    if (value === "" || (Array.isArray(value) && value.length === 0)) this.#empty++;
    const type = Array.isArray(value)
      ? isObject(value[0]) && ("role" in value[0] || "from" in value[0]) ? "list of messages" : "list"
      : ArrayBuffer.isView(value)
      ? "bytes"
      : typeof value === "string"
      ? "text"
      : typeof value;
    this.#types.set(type, (this.#types.get(type) ?? 0) + 1);
  }

  end(written: string | undefined): Omit<ColumnSurvey, "name"> {
    const types = [...this.#types].sort((a, b) => b[1] - a[1]).map(([type]) => type);
    return { type: written ?? (types.join(", ") || "null"), nulls: this.#nulls, empty: this.#empty };
  }
}
