/** What a stranger's chat template may take of the machine: steps, more of them for long texts and lists. @module */
import type { Value } from "./python_values.ts";

/** Longest conversations of the usual templates take a tenth of it; it is over in a few seconds. */
const MOST_STEPS = 10_000_000;
const CHARACTERS = 16; // Of a text, that count as one step.

/** Counts the steps of one rendering. */
export class TemplateBudget {
  #left: number;

  constructor(private readonly most = MOST_STEPS) {
    this.#left = most;
  }

  /** Throws a RangeError where more steps were taken than a template may. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    throw new RangeError(
      `it takes more than ${
        this.most.toLocaleString("en")
      } steps; look for a loop in it that does not end, or for a text ` +
        "that doubles",
    );
  }

  /** A value that came about: its length. */
  made({ type, value }: Value): void {
    if (type === "StringValue") this.spend((value as string).length / CHARACTERS);
    else if (type === "ArrayValue" || type === "TupleValue") this.spend((value as Value[]).length);
    else if (type === "ObjectValue") this.spend((value as ReadonlyMap<string, Value>).size);
  }

  /** A value that is walked through, with all that it holds: a list may hold one other twice, and that another. */
  walked(value: Value): void {
    const open = [value];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      this.spend(1);
      this.made(next);
      const inner: unknown = next.value;
      if (!Array.isArray(inner) && !(inner instanceof Map)) continue;
      for (const one of inner.values()) open.push(one);
    }
  }
}
