/** Where rows lie, and how their columns are read where options do not say it. @module */
import { resolve } from "@deno/std/path/resolve.js";
import { z } from "zod";
import { type PromptColumns, promptColumns, verifierOf } from "../../data/datasets/conventions.ts";
import type { Dataset } from "../../data/datasets/open_dataset.ts";
import type { Row } from "../../data/datasets/row_batch.ts";
import { imageColumns } from "../../data/tasks/rows/image_source.ts";
import { usedFor } from "../../data/preview/used_for.ts";
import { type UnusedColumn, unusedColumns } from "../../data/preview/unused_columns.ts";
import { hubData } from "../../data/hub/remote/hub_folder.ts";
import { isAddress } from "../../data/hub/remote/repository.ts";
import { OF_IMAGES } from "../../data/datasets/detection/detection_options.ts";
import { ENCODINGS } from "../../data/datasets/text_encoding.ts";

/** How a file is opened; without effect for a task. */
export const OPENING = {
  encoding: z.enum(ENCODINGS).optional().describe("file: of a text that is not UTF-8"),
  config: z.string().min(1).optional().describe(
    "file: of a folder with several data sets, such as main and socratic: which",
  ),
  take: z.partialRecord(z.enum(["train", "validation", "held_out"]), z.string().min(1)).optional().describe(
    "file: of a folder, which of its splits are ours, e.g. { train: train_sft, held_out: test_sft }; others are not read",
  ),
};

/** Rows of one's own. */
export const DATA_OPTIONS = {
  file: z.string().min(1).optional().describe(
    "a .jsonl, .json, .csv, .tsv, .parquet or .arrow file (texts also .gz) or a folder of such, as datasets saves one or the " +
      "Hub has it, relative to the workflow file; or hf:datasets/ORG/NAME, as pull fetched it",
  ),
  ...OPENING,
};

/** A path from where the workflow lies, or `hf:datasets/ORG/NAME` as it lies in the cache. */
export function dataPath(file: string, workflow: string): string {
  return isAddress(file) ? hubData(file) : resolve(workflow, file);
}

/** What options may say of the columns of prompts. */
interface GivenReading {
  readonly file: string;
  readonly prompt_column?: string | undefined;
  readonly input_column?: string | undefined;
  readonly answer_column?: string | null | undefined;
  readonly messages_column?: string | undefined;
  readonly split_column?: string | undefined;
  readonly verifier?: string | undefined;
  readonly verifier_options: Readonly<Record<string, unknown>>;
  readonly columns: readonly string[];
  readonly image_column?: string | readonly string[] | undefined;
  readonly box_unit?: object | undefined;
}

/** The options of a reading, all of them. */
interface Reading {
  readonly prompt_column: string;
  readonly input_column?: string | undefined;
  readonly answer_column: string | null;
  readonly messages_column?: string | undefined;
  readonly split_column?: string | undefined;
  readonly verifier: string;
  readonly verifier_options: Readonly<Record<string, unknown>>;
  readonly columns: readonly string[];
  readonly image_columns: readonly string[];
}

/**
 * Options that are given, and for those that are not what the first rows look like. `convention` is null where nothing
 * had to be recognised; `unused` are columns that plainly are for an option that nobody named. Throws RangeError where two
 * readings are as good, and for preferences, which another step loads.
 */
export async function readingOf(
  given: GivenReading,
  dataset: Dataset,
): Promise<
  { readonly convention: string | null; readonly options: Reading; readonly unused: readonly UnusedColumn[] }
> {
  const { prompt_column, answer_column, messages_column, verifier } = given;
  const isWhole = messages_column !== undefined ||
    (prompt_column !== undefined && answer_column !== undefined && (verifier !== undefined || answer_column === null));
  if (dataset.annotated !== null) refuseColumns(given);
  const images = given.image_column;
  const isAllSaid = isWhole && images !== undefined && given.split_column !== undefined;
  const first = isAllSaid ? null : await firstRows(dataset);
  const found = first === null || isWhole ? null : recognised(first, given);
  if (first !== null && !isWhole) refusePreferences(first, given, found);
  const none = messages_column !== undefined || answer_column === null;
  const judged = found ??
    (first && !isWhole && answer_column
      ? verifierOf(first.rows, first.columns, answer_column)
      : { verifier: none ? "none" : "exact" });
  const options: Reading = {
    prompt_column: prompt_column ?? found?.prompt_column ?? "prompt",
    input_column: given.input_column ?? found?.input_column,
    answer_column: answer_column !== undefined ? answer_column : found?.answer_column ?? "answer",
    messages_column: messages_column ?? found?.messages_column,
    split_column: given.split_column ?? found?.split_column,
    verifier: verifier ?? judged.verifier,
    verifier_options: verifier === undefined ? { ...judged.verifier_options } : given.verifier_options,
    columns: [
      ...new Set([...given.columns, ...verifier === undefined || dataset.annotated ? judged.columns ?? [] : []]),
    ],
    image_columns: images !== undefined
      ? [images].flat()
      : dataset.annotated !== null
      ? [...OF_IMAGES]
      : first === null
      ? []
      : imageColumns(first.rows, first.columns),
  };
  const unused = first === null || dataset.annotated !== null ? [] : unusedOf(first, options, given, dataset);
  return {
    convention: found === null || (found.convention === PLAIN && verifier !== undefined) ? null : found.convention,
    options,
    unused,
  };
}

/** Columns that somebody forgot to name. Throws RangeError where boxes cannot be converted without one. */
function unusedOf({ rows, columns }: First, options: Reading, given: GivenReading, { parts }: Dataset): UnusedColumn[] {
  const { prompt_column, input_column, answer_column, messages_column, split_column, image_columns } = options;
  const own = messages_column === undefined ? [prompt_column, input_column, answer_column] : [messages_column];
  const named = [...own, split_column].flatMap((name) => name ?? []);
  const unused = unusedColumns(rows, columns, {
    columns: [...named, ...options.columns, ...image_columns],
    images: given.image_column !== undefined || image_columns.length > 0,
    split: split_column !== undefined || parts.some(({ split }) => split !== null),
  });
  const image = unused.find(({ option }) => option === "image_column");
  if (image === undefined || given.box_unit === undefined) return unused;
  throw new RangeError(
    `Cannot load prompts from ${given.file}: box_unit goes by the size of each row's image, and no column of images is ` +
      `read; set image_column: ${image.column}, which looks like one`,
  );
}

/** Columns that nobody has to be told of; which verifier was chosen, everybody has. */
const PLAIN = "prompt, answer";

interface First {
  readonly rows: readonly Row[];
  readonly columns: readonly string[];
}

const OF_ROWS = ["prompt_column", "input_column", "answer_column", "messages_column", "split_column"] as const;

/** Annotations have no columns before they are rows of ours. */
function refuseColumns(given: GivenReading): void {
  const named = OF_ROWS.find((name) => given[name] !== undefined);
  if (named === undefined) return;
  throw new RangeError(
    `Cannot load prompts from ${given.file}: it has annotations of images, which have no column for ${named}; leave it ` +
      "out, and say in detection what is asked",
  );
}

/** The first rows with all their columns, by which these are recognised; null where there are none. */
export async function firstRows(dataset: Dataset): Promise<First | null> {
  // Their rows are made when all is read, which may take a while.
  if (dataset.annotated !== null) return { rows: [], columns: dataset.annotated };
  for await (const { rows, columns } of dataset.batches()) if (rows.length > 0) return { rows, columns };
  return null;
}

function recognised({ rows, columns }: First, given: GivenReading): PromptColumns | null {
  try {
    return promptColumns(rows, columns, given);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`Cannot load prompts from ${given.file}: ${error.message}`, { cause: error });
  }
}

/** Pairs have no answer to read; of labelled completions half are what nobody should learn. A named answer is meant. */
function refusePreferences({ rows, columns }: First, given: GivenReading, found: PromptColumns | null): void {
  if (given.answer_column !== undefined || given.messages_column !== undefined) return;
  const reading = usedFor(rows.slice(0, LOOKED_AT), columns).use?.reading;
  if (reading === undefined || (reading.form === "pairs" && found !== null)) return;
  const { chosen_column, rejected_column, completion_column, label_column } = reading.columns;
  const [what, loss, answer] = reading.form === "pairs"
    ? [`pairs of ${chosen_column} and ${rejected_column}`, "dpo", chosen_column]
    : [`completions with a ${label_column}`, "kto", completion_column];
  const instead = reading.hasPrompt ? `, or set answer_column: ${answer} to take that as the answer` : "";
  throw new RangeError(
    `Cannot load prompts from ${given.file}: its rows are preferences, ${what}; load them by load_preferences and train ` +
      `by train_preferences with loss: ${loss}${instead}`,
  );
}

const LOOKED_AT = 100; // Rows.

/** The options as a person would write them. */
export function columnsText(reading: Reading): string {
  const { messages_column, prompt_column, input_column, answer_column, verifier, verifier_options } = reading;
  const image_column = reading.image_columns.length > 0 ? reading.image_columns.join(" and ") : undefined;
  const told = messages_column === undefined
    ? { prompt_column, input_column, image_column, answer_column, verifier }
    : { messages_column, image_column, verifier };
  const options = Object.keys(verifier_options).length > 0
    ? { verifier_options: JSON.stringify(verifier_options) }
    : {};
  return Object.entries({ ...told, ...options }).filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}`).join(", ");
}
