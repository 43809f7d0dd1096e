/** How long rows of tokens may be, and what in them cannot be learned from: counted by kind, named and refused. @module */
import type { Policy } from "../resources/policy.ts";

export interface Limits {
  /** Tokens of prompt and completion together; what is beyond is cut off. Null: a row must fit the model's context. */
  readonly maxLength: number | null;
  /** Places of the context that the model takes besides. */
  readonly besides?: number;
}

/** Completions of one prompt as tokens, all of them. */
interface Whole {
  readonly prompt: Int32Array;
  readonly completions: readonly Int32Array[];
}

/** What is wrong with rows of a table, counted by kind. */
export class RowProblems {
  readonly #rows = new Map<string, number[]>();

  /** `what` cannot be done with them; they are told as `unit`s of `place`. */
  constructor(readonly what: string, readonly place: string, readonly unit = "row") {}

  add(row: number, problem: string): void {
    const rows = this.#rows.get(problem) ?? [];
    if (rows.at(-1) !== row) rows.push(row);
    this.#rows.set(problem, rows);
  }

  /** Throws a RangeError where there is any. */
  refuse(): void {
    const found = [...this.#rows].map(([problem, rows]) =>
      `${rows.length} ${problem} (${this.unit}${rows.length > 1 ? "s" : ""} ${
        rows.toSorted((a, b) => a - b).slice(0, 5).join(", ")
      }${rows.length > 5 ? ", …" : ""} of ${this.place})`
    );
    if (found.length > 0) throw new RangeError(`Cannot ${this.what}: ${found.join("; ")}`);
  }
}

/** Completions must have a text: an empty one would only teach to end. */
export function requireText(problems: RowProblems, row: number, texts: readonly (string | null | undefined)[]): void {
  if (texts.some((text) => text === "" || text === null || text === undefined)) {
    problems.add(row, "completions are empty, want a text");
  }
}

/** What of a policy bounds its rows. */
interface Bounds {
  readonly model: { readonly config: Pick<Policy["model"]["config"], "maxPositions" | "vocabSize" | "silentTokens"> };
}

/** The completions cut to the room that the prompt leaves them, at least one token; what is wrong goes to `problems`. */
export function cutRow(
  { model: { config } }: Bounds,
  { maxLength, besides = 0 }: Limits,
  { prompt, completions }: Whole,
  problems: RowProblems,
  row: number,
): { readonly completions: readonly Int32Array[]; readonly room: number } {
  const context = config.maxPositions - besides, most = Math.min(maxLength ?? context, context);
  const room = most - prompt.length, least = Math.max(room, 1);
  if (room < 1) problems.add(row, `prompts leave no room for a completion, want fewer than ${most} tokens`);
  if ((maxLength ?? Infinity) > context && completions.some(({ length }) => length > room)) {
    problems.add(row, "rows are longer than the model's context, want max_length to cut them off");
  }
  if ([prompt, ...completions].some((list) => list.some((id) => id < 0 || id >= config.vocabSize))) {
    problems.add(row, `rows have token ids outside the model's vocabulary, want less than ${config.vocabSize}`);
  }
  if (completions.some((list) => list.some((id) => config.silentTokens.includes(id)))) {
    problems.add(row, "completions hold markers of images, which the model never says; take them out of the texts");
  }
  return { completions: completions.map((list) => list.slice(0, least)), room: least };
}
