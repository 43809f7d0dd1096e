/** Recognises which step rows are for, and says of a row what that step would refuse. @module */
import { messageOf } from "../error_text.ts";
import { cellOf } from "../datasets/cells.ts";
import {
  ANNOTATED,
  PREFERENCE_COLUMNS,
  preferenceColumns,
  type PreferenceReading,
  type PromptColumns,
  promptColumns,
} from "../datasets/conventions.ts";
import { messagesText, withoutImages } from "../datasets/messages.ts";
import type { Row } from "../datasets/row_batch.ts";
import { rowPreference } from "../preferences/row_preference.ts";
import { imageColumns } from "../tasks/rows/image_source.ts";
import { type UnusedColumn, unusedColumns } from "./unused_columns.ts";
import { conversation } from "../tasks/rows/row_prompt.ts";

/** What the rows are for. */
export type Use = {
  readonly step: "load_prompts" | "load_preferences";
  readonly convention: string;
  readonly options: object;
  /** Those of the options that the step takes from nowhere else: what they name is read by no usual name. */
  readonly named?: readonly UnusedColumn[];
  /** Of preferences. */
  readonly reading?: PreferenceReading;
};

/**
 * By their columns and values. `unclear` says why nothing, or more than one thing, is recognised; `splits`: whether
 * something else than a column says them.
 */
export function usedFor(
  rows: readonly Row[],
  columns: readonly string[],
  splits = false,
): { use: Use | null; unclear: string | null } {
  try {
    const use = preferencesOf(rows, columns) ?? promptsOf(rows, columns, splits);
    if (use === null) return { use, unclear: "no usual columns of prompts and answers are there" };
    const problems = rows.map((row) => problemOf(row, use));
    // What no row can be read as, it is not.
    return problems.includes(null) ? { use, unclear: null } : { use: null, unclear: `every row: ${problems[0]}` };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { use: null, unclear: messageOf(error) };
  }
}

function preferencesOf(rows: readonly Row[], columns: readonly string[]): Use | null {
  const reading = preferenceColumns(rows, columns);
  if (reading === null) return null;
  const { prompt_column } = reading.columns, isUsual = prompt_column === PREFERENCE_COLUMNS.prompt_column;
  const convention = reading.form === "pairs" ? "preference" : "unpaired preference";
  return { step: "load_preferences", convention, options: isUsual ? {} : { prompt_column }, reading };
}

function promptsOf(rows: readonly Row[], columns: readonly string[], splits: boolean): Use | null {
  const found = promptColumns(rows, columns, {});
  if (found === null) return null;
  const { convention, ...options } = found, images = imageColumns(rows, columns);
  const image = images.length === 0 ? {} : { image_column: images.length === 1 ? images[0] : images };
  if (convention === ANNOTATED) return { step: "load_prompts", convention, options: { ...options, ...image } };
  const { prompt_column, input_column, answer_column, messages_column, split_column, columns: kept = [] } = found;
  const own = [prompt_column, input_column, answer_column, messages_column, split_column];
  const named = unusedColumns(rows, columns, {
    columns: [...own.flatMap((name) => name ?? []), ...kept, ...images],
    images: images.length > 0,
    split: splits || split_column !== undefined,
  });
  const more = Object.fromEntries(named.map(({ option, column }) => [option, column]));
  return { step: "load_prompts", convention, options: { ...options, ...image, ...more }, named };
}

/** What the step would say of a row, besides what is missing; null where nothing. */
export function problemOf(row: Row, { reading, options }: Use): string | null {
  const { messages_column } = options as PromptColumns;
  try {
    if (reading) {
      rowPreference(row, reading, (problem) => {
        throw new RangeError(problem);
      });
    } else if (messages_column !== undefined) {
      // Which images are there is looked at by the survey.
      conversation(cellOf(row, messages_column), (before) => messagesText(withoutImages(before)));
    }
    return null;
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return messageOf(error);
    throw error;
  }
}
