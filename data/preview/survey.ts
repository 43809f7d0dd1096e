/** Goes through a data set once, some rows at a time, and says what is in it. @module */
import { PLAIN_VERIFIERS } from "../tasks/verifiers/mod.ts";
import type { Verifier } from "../tasks/verifiers/verifier.ts";
import { messageOf } from "../error_text.ts";
import { cellOf, isObject } from "../datasets/cells.ts";
import { type PromptColumns, promptColumns } from "../datasets/conventions.ts";
import { asMessages } from "../datasets/messages.ts";
import type { Dataset } from "../datasets/open_dataset.ts";
import { Quantiles, type Spread } from "./quantiles.ts";
import type { Row } from "../datasets/row_batch.ts";
import { contentFraction } from "../datasets/split.ts";

interface ColumnSurvey {
  readonly name: string;
  /** As the file says, else as the values are, the most frequent first. */
  readonly type: string;
  readonly nulls: number;
  readonly empty: number;
}

/** What the rows are for. */
type Use = {
  readonly step: "load_prompts" | "load_preferences";
  readonly convention: string;
  readonly options: object;
};

export interface Survey {
  readonly format: string;
  readonly files: number;
  readonly bytes: number;
  readonly rows: number;
  readonly splits: Readonly<Record<string, number>>;
  readonly columns: readonly ColumnSurvey[];
  readonly use: Use | null;
  /** The step that reads it, also where its columns must be named. */
  readonly step: Use["step"];
  /** Why nothing, or more than one thing, is recognised. */
  readonly unclear: string | null;
  readonly unit: "tokens" | "characters";
  readonly lengths: Readonly<Record<string, Spread>>;
  /** Prompts that occurred before in the same split, and in another one. */
  readonly duplicates: { readonly prompts: number; readonly across: number };
  readonly labels: { readonly desirable: number; readonly undesirable: number } | null;
  readonly identicalPairs: number | null;
  /** Of the answers that were looked at, how many each verifier reads. */
  readonly readable: { readonly answers: number; readonly by: Readonly<Record<string, number>> } | null;
  readonly samples: readonly Row[];
  readonly problems: { readonly count: number; readonly first: readonly string[] };
}

interface SurveyOptions {
  /** Tokens of a text; without it lengths are characters. */
  readonly count?: ((text: string) => number) | undefined;
  readonly hear?: (rows: number, bytes: number) => void;
}

const SAMPLES = 3;
const PROBLEMS = 20;
/** Prompts that are remembered for duplicates, as numbers. */
const MOST_REMEMBERED = 5e6;
/** Answers that every verifier is asked about. */
const MOST_ASKED = 20_000;
/** A text that is much longer than the usual, against the median, and in characters at least. */
const VERY_LONG = 20, LONG_AT_LEAST = 20_000;
const PROMPT_NAMES = ["prompt", "question", "instruction", "query", "problem", "conversations", "messages"];

/** Throws what reading throws. */
export async function survey(dataset: Dataset, { count, hear = () => {} }: SurveyOptions = {}): Promise<Survey> {
  const types: Record<string, string> = {}, columns = new Map<string, Counted>(), splits: Record<string, number> = {};
  const seen = new Map<number, string>(),
    lengths: Record<string, Quantiles> = {},
    samples: Row[] = [],
    first: string[] = [];
  const readable = Object.fromEntries(Object.keys(PLAIN_VERIFIERS).map((name) => [name, 0]));
  const found = { rows: 0, problems: 0, same: 0, across: 0, asked: 0, yes: 0, no: 0, identical: 0 };
  let use: Use | null = null, unclear: string | null = null;
  const say = (text: string) => {
    if (++found.problems <= PROBLEMS) first.push(text);
  };
  for await (const batch of dataset.batches(undefined, (_, file) => Object.assign(types, file.types ?? {}))) {
    if (found.rows === 0 && batch.rows.length > 0) ({ use, unclear } = usedFor(batch.rows, batch.columns));
    for (const name of batch.columns) if (!columns.has(name)) columns.set(name, new Counted(found.rows));
    const split = batch.split ?? "all";
    splits[split] = (splits[split] ?? 0) + batch.rows.length;
    batch.rows.forEach((row, i) => {
      found.rows++;
      if (samples.length < SAMPLES) samples.push(row);
      for (const [name, counted] of columns) counted.add(row[name]);
      if (use === null) return;
      const place = batch.place(i), texts = textsOf(row, use);
      for (const [name, value] of Object.entries(texts)) {
        if (value === null) say(`${place}: ${name} is missing`);
        else if (value.trim() === "") say(`${place}: ${name} is empty`);
        else {
          const length = lengths[name] ??= new Quantiles(), median = length.at(0.5) ?? Infinity;
          if (value.length > LONG_AT_LEAST && value.length > VERY_LONG * median) {
            say(`${place}: ${name} has ${value.length} characters`);
          }
          length.add(count ? count(value) : value.length);
        }
      }
      remember(texts["prompt"] ?? null, split, seen, found);
      if (use.step === "load_preferences") preference(row, texts, found, place, say);
      else if ("answer" in texts && found.asked < MOST_ASKED) {
        found.asked++;
        const answer = texts["answer"] ?? "", { verifier: own } = use.options as { readonly verifier?: string };
        for (const [name, verifier] of Object.entries(PLAIN_VERIFIERS) as [string, Verifier][]) {
          if (reads(verifier, answer, row)) readable[name]!++;
          else if (name === own && answer.trim() !== "") say(`${place}: ${name} cannot read ${shown(answer)}`);
        }
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
    columns: [...columns].map(([name, counted]) => ({ name, ...counted.end(types[name]) })),
    use,
    step: use?.step ?? "load_prompts",
    unclear: found.rows === 0 ? "it has no rows" : unclear,
    unit: count ? "tokens" : "characters",
    lengths: Object.fromEntries(Object.entries(lengths).map(([name, spread]) => [name, spread.end()])),
    duplicates: { prompts: found.same, across: found.across },
    labels: found.yes + found.no > 0 ? { desirable: found.yes, undesirable: found.no } : null,
    identicalPairs: use?.convention === "preference" ? found.identical : null,
    readable: found.asked > 0 ? { answers: found.asked, by: readable } : null,
    samples,
    problems: { count: found.problems, first },
  };
}

function shown(text: string): string {
  const json = JSON.stringify(text);
  return json.length > MOST_SHOWN ? `${json.slice(0, MOST_SHOWN)}…` : json;
}

const MOST_SHOWN = 60;

function usedFor(rows: readonly Row[], columns: readonly string[]): { use: Use | null; unclear: string | null } {
  const has = (...names: string[]) => names.every((name) => columns.includes(name));
  const preferences = (convention: string) => ({
    use: { step: "load_preferences" as const, convention, options: {} },
    unclear: null,
  });
  if (has("chosen", "rejected")) return preferences("preference");
  if (has("completion", "label") && PROMPT_NAMES.some((name) => has(name))) return preferences("unpaired preference");
  try {
    const found = promptColumns(rows, columns, {});
    if (found === null) return { use: null, unclear: "no usual columns of prompts and answers are there" };
    const { convention, ...options } = found;
    return { use: { step: "load_prompts", convention, options }, unclear: null };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { use: null, unclear: messageOf(error) };
  }
}

/** The texts of a row by what they are; null where there is none. */
function textsOf(row: Row, { step, options }: Use): Record<string, string | null> {
  if (step === "load_preferences") {
    const prompt = PROMPT_NAMES.find((name) => row[name] !== undefined);
    const names = ["chosen", "rejected", "completion"].filter((name) => row[name] !== undefined);
    const texts = Object.fromEntries(names.map((name) => [name, textOf(row[name])]));
    return prompt === undefined ? texts : { prompt: textOf(row[prompt]), ...texts };
  }
  const { prompt_column, answer_column, messages_column } = options as PromptColumns;
  if (messages_column === undefined) {
    return { prompt: textOf(cellOf(row, prompt_column!)), answer: textOf(cellOf(row, answer_column!)) };
  }
  const list = asMessages(cellOf(row, messages_column));
  return Array.isArray(list)
    ? { prompt: textOf(list.slice(0, -1)), "last message": textOf(list.slice(-1)) }
    : { prompt: textOf(list) };
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
  // Two hashes of 32 bits as one number of 53: among five million a false pair is one in a thousand runs.
  const key = Math.floor(contentFraction(prompt) * 2 ** 32) * 2 ** 21 +
    Math.floor(contentFraction(`2 ${prompt}`) * 2 ** 21);
  const before = seen.get(key);
  if (before === undefined) {
    if (seen.size < MOST_REMEMBERED) seen.set(key, split);
  } else if (before === split) found.same++;
  else found.across++;
}

function preference(
  row: Row,
  texts: Record<string, string | null>,
  found: { yes: number; no: number; identical: number },
  place: string,
  say: (text: string) => void,
): void {
  if ("chosen" in texts && texts["chosen"] !== null && texts["chosen"] === texts["rejected"]) {
    found.identical++;
    say(`${place}: chosen and rejected are the same`);
  }
  if (row["label"] === undefined || !("completion" in texts)) return;
  const label = String(row["label"]).trim().toLowerCase();
  if (["true", "1"].includes(label)) found.yes++;
  else if (["false", "0"].includes(label)) found.no++;
  else say(`${place}: label is ${JSON.stringify(row["label"])}, want true or false`);
}

function reads(verifier: Verifier, answer: string, row: Row): boolean {
  return answer !== "" && verifier.problem(answer, DEFAULTS.get(verifier), row) === null;
}

const DEFAULTS = new Map((Object.values(PLAIN_VERIFIERS) as Verifier[]).map((one) => [one, one.params.parse({})]));

/** What is counted of a column. */
class Counted {
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
