/** Goes through a data set once, some rows at a time, and says what is in it. @module */
import { dirname } from "node:path";
import { messageOf } from "../error_text.ts";
import { cellOf, isObject } from "../datasets/cells.ts";
import { ANNOTATED, type PreferenceReading, type PromptColumns } from "../datasets/conventions.ts";
import { asMessages } from "../datasets/messages.ts";
import type { Dataset } from "../datasets/open_dataset.ts";
import { Quantiles, type Spread } from "../statistics/mod.ts";
import type { Row } from "../datasets/row_batch.ts";
import { fingerprint } from "../datasets/split.ts";
import { labelOf } from "../preferences/row_preference.ts";
import { ColumnCount, type ColumnSurvey } from "./column_survey.ts";
import { type ImagesFound, ImageSurvey } from "./image_survey.ts";
import { ReadableAnswers } from "./readable_answers.ts";
import { problemOf, type Use, usedFor } from "./used_for.ts";

export interface Survey {
  readonly format: string;
  readonly files: number;
  readonly bytes: number;
  readonly rows: number;
  readonly splits: Readonly<Record<string, number>>;
  readonly columns: readonly ColumnSurvey[];
  readonly use: (Omit<Use, "reading"> & Required<Pick<Use, "named">>) | null;
  /** The step that reads it, also where its columns must be named. */
  readonly step: Use["step"];
  /** Why nothing, or more than one thing, is recognised. */
  readonly unclear: string | null;
  readonly unit: "tokens" | "characters";
  /** Whether the tokens of conversations are those of the chat template; null where none were counted. */
  readonly chat_template: boolean | null;
  readonly lengths: Readonly<Record<string, Spread>>;
  /** Prompts that occurred before in the same split, and in another one. */
  readonly duplicates: { readonly prompts: number; readonly across: number };
  readonly labels: { readonly desirable: number; readonly undesirable: number } | null;
  readonly identicalPairs: number | null;
  /** Of the answers that were looked at, how many each verifier reads. */
  readonly readable: { readonly answers: number; readonly by: Readonly<Record<string, number>> } | null;
  readonly images: ImagesFound | null;
  readonly samples: readonly Row[];
  readonly problems: { readonly count: number; readonly first: readonly string[] };
}

interface SurveyOptions {
  /** Tokens of a text; without it lengths are characters. */
  readonly count?: ((text: string) => number) | undefined;
  /**
   * Tokens of a prompt of messages by the chat template, or, with the messages before, of what follows them; without it
   * those of their texts. What it throws about them is a problem of the row.
   */
  readonly countChat?: ((messages: readonly unknown[], before: readonly unknown[] | null) => number) | undefined;
  /** What looks at images, for one who wants to show some of them. */
  readonly images?: ImageSurvey;
  readonly hear?: (rows: number, bytes: number) => void;
}

const SAMPLES = 3, PROBLEMS = 20;
/** Prompts that are remembered for duplicates, as numbers. */
const MOST_REMEMBERED = 5e6;
/** A text that is much longer than the usual, against the median, and in characters at least. */
const VERY_LONG = 20, LONG_AT_LEAST = 20_000;

/** Throws what reading throws. */
export async function survey(
  dataset: Dataset,
  { count, countChat, images = new ImageSurvey(), hear = () => {} }: SurveyOptions = {},
): Promise<Survey> {
  const types: Record<string, string> = {},
    columns = new Map<string, ColumnCount>(),
    splits: Record<string, number> = {};
  const seen = new Map<number, string>(),
    lengths: Record<string, Quantiles> = {},
    samples: Row[] = [],
    first: string[] = [];
  const readable = new ReadableAnswers();
  const found = { rows: 0, problems: 0, same: 0, across: 0, yes: 0, no: 0, identical: 0 };
  let use: Use | null = null, unclear: string | null = null, isChat = false;
  const say = (text: string) => {
    if (++found.problems <= PROBLEMS) first.push(text);
  };
  const batches = dataset.batches(undefined, ({ path }, file) => {
    Object.assign(types, file.types ?? {});
    images.folder = dirname(path);
  });
  for await (const batch of batches) {
    if (found.rows === 0 && batch.rows.length > 0) {
      ({ use, unclear } = usedFor(batch.rows, batch.columns, batch.split !== null));
    }
    for (const name of batch.columns) if (!columns.has(name)) columns.set(name, new ColumnCount(found.rows));
    const split = batch.split ?? "all";
    splits[split] = (splits[split] ?? 0) + batch.rows.length;
    batch.rows.forEach((row, i) => {
      found.rows++;
      if (samples.length < SAMPLES) samples.push(row);
      for (const [name, counted] of columns) counted.add(row[name]);
      if (use === null) return;
      const damage = batch.problems?.[i] ?? null;
      if (damage !== null) return say(`${batch.place(i)}: ${damage}`);
      const place = batch.place(i), cells = textCells(row, use);
      const problem = problemOf(row, use) ?? (dataset.annotated ? null : images.add(row, use, place));
      const texts = mapped(cells, textOf), lists = listsIn(cells);
      if (problem !== null) say(`${place}: ${problem}`);
      for (const [name, value] of Object.entries(texts)) {
        if (problem !== null && (value ?? "").trim() === "") continue;
        if (value === null) say(`${place}: ${name} is missing`);
        else if (value.trim() === "") say(`${place}: ${name} is empty`);
        else {
          const length = lengths[name] ??= new Quantiles(), median = length.at(0.5) ?? Infinity;
          if (value.length > LONG_AT_LEAST && value.length > VERY_LONG * median) {
            say(`${place}: ${name} has ${value.length} characters`);
          }
          const list = count ? lists[name] : undefined;
          isChat ||= list !== undefined;
          const counted = list && countChat
            ? tokensOf(
              () => countChat(list, name === "prompt" ? null : lists["prompt"] ?? []),
              (found) => say(`${place}: ${found}`),
            )
            : count
            ? count(value)
            : value.length;
          if (counted !== null) length.add(counted);
        }
      }
      // The same words are asked of many images.
      const isAnnotated = use.convention === ANNOTATED, of = isAnnotated ? `${row["image"]} ` : "";
      const asked = isAnnotated ? texts["prompt"] : problem === null ? images.prompt ?? texts["prompt"] : null;
      remember(asked ? of + asked : null, split, seen, found);
      if (use.reading) preference(row, use.reading, found, place, say);
      else if ("answer" in texts && !isAnnotated) {
        const answer = texts["answer"] ?? "", { verifier: own } = use.options as { readonly verifier?: string };
        if (readable.add(answer, row, own)) say(`${place}: ${own} cannot read ${shown(answer)}`);
      }
    });
    hear(found.rows, dataset.parts.reduce((sum, { bytes }) => sum + bytes, 0));
  }
  return {
    format: dataset.format,
    files: dataset.parts.length,
    bytes: dataset.parts.reduce((sum, { bytes }) => sum + bytes, 0),
    rows: found.rows,
    splits,
    columns: [...columns].map(([name, counted]) => ({
      name,
      ...counted.end(Object.hasOwn(types, name) ? types[name] : undefined),
    })),
    use: use && { step: use.step, convention: use.convention, options: use.options, named: use.named ?? [] },
    step: use?.step ?? "load_prompts",
    unclear: found.rows === 0 ? "it has no rows" : unclear,
    unit: count ? "tokens" : "characters",
    chat_template: isChat ? countChat !== undefined : null,
    lengths: Object.fromEntries(Object.entries(lengths).map(([name, spread]) => [name, spread.end()])),
    duplicates: { prompts: found.same, across: found.across },
    labels: found.yes + found.no > 0 ? { desirable: found.yes, undesirable: found.no } : null,
    identicalPairs: use?.convention === "preference" ? found.identical : null,
    readable: readable.end(),
    images: images.end(),
    samples,
    problems: { count: found.problems, first },
  };
}

function shown(text: string): string {
  const json = JSON.stringify(text);
  return json.length > MOST_SHOWN ? `${json.slice(0, MOST_SHOWN)}…` : json;
}

const MOST_SHOWN = 60;

/** The cells of a row that are texts or lists of messages, by what they are. */
function textCells(row: Row, { reading, options }: Use): Record<string, unknown> {
  if (reading) {
    const { columns, form, hasPrompt } = reading;
    return {
      ...(hasPrompt ? { prompt: row[columns.prompt_column] } : {}),
      ...(form === "pairs"
        ? { chosen: row[columns.chosen_column], rejected: row[columns.rejected_column] }
        : { completion: row[columns.completion_column] }),
    };
  }
  const { prompt_column, answer_column, messages_column } = options as PromptColumns;
  if (messages_column === undefined) {
    return { prompt: cellOf(row, prompt_column!), answer: cellOf(row, answer_column!) };
  }
  const list = asMessages(cellOf(row, messages_column));
  return Array.isArray(list) ? { prompt: list.slice(0, -1), "last message": list.slice(-1) } : { prompt: list };
}

function mapped<Value>(cells: Record<string, unknown>, make: (cell: unknown) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, make(cell)]));
}

/** Those of the cells that are lists of messages. */
function listsIn(cells: Record<string, unknown>): Record<string, readonly unknown[]> {
  const lists = Object.entries(mapped(cells, asMessages)).filter(([, value]) => Array.isArray(value));
  return Object.fromEntries(lists) as Record<string, readonly unknown[]>;
}

/** Null, and said, for messages that the template refuses. */
function tokensOf(count: () => number, say: (problem: string) => void): number | null {
  try {
    return count();
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error;
    say(messageOf(error));
    return null;
  }
}

/** A text; of a list of messages their contents. */
function textOf(written: unknown): string | null {
  const value = asMessages(written);
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value)) return isObject(value) ? JSON.stringify(value) : String(value);
  return value.map((message) =>
    isObject(message) ? String(message["content"] ?? message["value"] ?? "") : String(message)
  )
    .join("\n");
}

function remember(
  prompt: string | null,
  split: string,
  seen: Map<number, string>,
  found: { same: number; across: number },
): void {
  if (prompt === null || prompt === "") return;
  const key = fingerprint(prompt);
  const before = seen.get(key);
  if (before === undefined) {
    if (seen.size < MOST_REMEMBERED) seen.set(key, split);
  } else if (before === split) found.same++;
  else found.across++;
}

function preference(
  row: Row,
  { form, columns }: PreferenceReading,
  found: { yes: number; no: number; identical: number },
  place: string,
  say: (text: string) => void,
): void {
  if (form === "unpaired") {
    const label = labelOf(row[columns.label_column]);
    if (label !== null) label ? found.yes++ : found.no++;
    return;
  }
  const chosen = textOf(row[columns.chosen_column]);
  if (chosen === null || chosen !== textOf(row[columns.rejected_column])) return;
  found.identical++;
  say(`${place}: chosen and rejected are the same`);
}
