/** Makes preferences of the rows of a user's file as they are read, each in its split. @module */
import { nearest } from "../did_you_mean.ts";
import {
  isPromptName,
  type PreferenceColumns,
  preferenceColumns,
  type PreferenceReading,
} from "../datasets/conventions.ts";
import type { Row, RowBatch } from "../datasets/row_batch.ts";
import { fingerprint, placeInOrder, type Split, type SplitFractions, splitOf } from "../datasets/split.ts";
import { type LabelledCompletion, type PreferencePair, type Preferences, unpaired } from "./preference.ts";
import { rowPreference } from "./row_preference.ts";

/** Of every row also where it stands. */
type PlacedPreference = (PreferencePair | LabelledCompletion) & { readonly split: Split; readonly line: number };

export interface PreferenceOptions {
  /** The file, as the user named it: for errors. */
  readonly file: string;
  /** Labelled completions, also of pairs; a file's own form where it is left out. */
  readonly form?: "pairs" | "unpaired" | undefined;
  readonly order: "hash" | "file";
  /** At most so many, in that order. */
  readonly limit?: number | undefined;
  /** Of rows whose split nothing says, and of those in a folder's train split. */
  readonly splits: SplitFractions;
}

/** What rows may be together, in characters: they stay in memory. */
const MOST_KEPT = 500e6;
/** More rows than the limit that are held before those beyond it are let go. */
const SLACK = 10_000;

interface Kept {
  readonly row: PlacedPreference;
  readonly order: number;
}

/** The columns of a file's rows, or RangeError that says what is missing. */
export function readingOfPreferences(
  rows: readonly Row[],
  known: readonly string[],
  file: string,
  given: PreferenceColumns,
): PreferenceReading {
  const fail = (problem: string, cause?: unknown): never => {
    throw new RangeError(`Cannot load preferences from ${file}: ${problem}`, { cause });
  };
  if (rows.length === 0) fail("it has no rows");
  try {
    const reading = preferenceColumns(rows, known, given);
    if (reading !== null) return reading;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    fail(error.message, error);
  }
  const { prompt_column, chosen_column, rejected_column, completion_column, label_column } = given;
  const missing = [prompt_column, chosen_column, rejected_column, completion_column, label_column]
    .filter((name) => !known.includes(name)).map((name) => nearest(name, known)).find((hint) => hint !== "") ?? "";
  return fail(
    `its columns are ${known.join(", ") || "none"}, want ${chosen_column} and ${rejected_column} ` +
      `(with or without ${prompt_column}), or ${prompt_column}, ${completion_column} and ` +
      `${label_column}${missing}; name yours by chosen_column, …`,
  );
}

/** The columns that a reading needs of a file; of pairs without a prompt also those that may be one. */
export function columnsRead({ form, columns, hasPrompt }: PreferenceReading, known: readonly string[]): string[] {
  const { prompt_column, chosen_column, rejected_column, completion_column, label_column } = columns;
  const own = form === "pairs" ? [chosen_column, rejected_column] : [completion_column, label_column];
  return hasPrompt ? [prompt_column, ...own] : [...known.filter(isPromptName), ...own];
}

/**
 * Collects rows as they are read: held are their texts, and with a `limit` little more than so many of them. A row of a
 * folder's train split whose prompt is in another split of the folder belongs to that one: nothing trains on it.
 */
export class PreferenceCollector {
  readonly #options: PreferenceOptions;
  readonly #reading: PreferenceReading;
  /** Prompts of the folder's own other splits, as numbers. */
  readonly #apart = new Map<number, Split>();
  #rows: Kept[] = [];
  #line = 0;
  #kept = 0;
  /** Beyond this place in the order by hash nothing is kept. */
  #last = Infinity;

  constructor(reading: PreferenceReading, options: PreferenceOptions) {
    this.#reading = reading;
    this.#options = options;
  }

  /** Whether further rows could not be among those that are kept. */
  get isFull(): boolean {
    const { order, limit = Infinity } = this.#options;
    return order === "file" && this.#rows.length >= limit;
  }

  /** Throws RangeError with the row's place. `isText`: the batch is of one text, whose lines name its rows. */
  add(batch: RowBatch, isText: boolean): void {
    const { file, form } = this.#options;
    batch.rows.forEach((cells, i) => {
      const line = isText ? batch.lines?.[i] : undefined;
      const preference = rowPreference(cells, this.#reading, (problem) => {
        throw new RangeError(
          `Cannot load preferences from ${file}${line === undefined ? `, ${batch.place(i)}` : `:${line}`}: ${problem}`,
        );
      });
      this.#line++;
      const { split: folderSplit } = batch, { prompt } = preference;
      if (folderSplit !== null && folderSplit !== "train") this.#setApart(prompt, folderSplit);
      const split = folderSplit === null || folderSplit === "train"
        ? splitOf(prompt, this.#options.splits)
        : folderSplit;
      const rows = form === "unpaired" && this.#reading.form === "pairs"
        ? unpaired({ form: "pairs", rows: [preference as PreferencePair] })
        : [preference];
      for (const row of rows) this.#keep({ ...row, split, line: line ?? this.#line });
    });
  }

  end(): { readonly form: Preferences["form"]; readonly rows: PlacedPreference[]; readonly moved: number } {
    const { limit, form = this.#reading.form } = this.#options;
    let moved = 0;
    const rows = this.#inOrder().slice(0, limit).map(({ row }) => {
      const apart = this.#apart.get(fingerprint(row.prompt));
      if (apart === undefined || apart === row.split) return row;
      moved++;
      return { ...row, split: apart };
    });
    return { form, rows, moved };
  }

  #setApart(prompt: string, split: Split): void {
    const key = fingerprint(prompt);
    if (split === "held_out" || !this.#apart.has(key)) this.#apart.set(key, split);
  }

  #keep(row: PlacedPreference): void {
    const { limit = Infinity } = this.#options;
    const order = placeInOrder("chosen" in row ? `${row.prompt}\n${row.chosen}` : `${row.prompt}\n${row.completion}`);
    if (this.isFull || (this.#options.order === "hash" && order > this.#last)) return;
    this.#rows.push({ row, order });
    this.#kept += sizeOf(row);
    if (this.#options.order === "hash" && this.#rows.length > limit + SLACK) {
      this.#rows = this.#inOrder().slice(0, limit);
      this.#last = this.#rows.at(-1)!.order;
      this.#kept = this.#rows.reduce((sum, kept) => sum + sizeOf(kept.row), 0);
    }
    if (this.#kept > MOST_KEPT) {
      throw new RangeError(
        `Cannot load preferences from ${this.#options.file}: they have more than ${MOST_KEPT} characters together, ` +
          "want fewer; set limit",
      );
    }
  }

  /** By hash neighbours have nothing to do with each other: one's completion is a mismatched one for the next (KTO). */
  #inOrder(): Kept[] {
    return this.#options.order === "file" ? this.#rows : this.#rows.toSorted((a, b) => a.order - b.order);
  }
}

const sizeOf = (row: PlacedPreference) =>
  row.prompt.length + ("chosen" in row ? row.chosen.length + row.rejected.length : row.completion.length);
