/** Makes preferences of the rows of a user's file, in the forms that TRL reads. @module */
import { nearest } from "../did_you_mean.ts";
import { asMessages, BROKEN_TEXT, completionText, messagesText } from "../datasets/messages.ts";
import type { FileRows } from "../tasks/rows/read_rows.ts";
import type { LabelledCompletion, PreferencePair, Preferences } from "./preference.ts";

/** What the file calls its columns. */
interface PreferenceColumns {
  readonly prompt_column: string;
  readonly chosen_column: string;
  readonly rejected_column: string;
  readonly completion_column: string;
  readonly label_column: string;
}

/** Known by name: what is handed over holds a step's other options too. */
const COLUMNS = [
  "prompt_column",
  "chosen_column",
  "rejected_column",
  "completion_column",
  "label_column",
] as const satisfies readonly (keyof PreferenceColumns)[];

type Cells = Readonly<Record<string, unknown>>;
type Fail = (problem: string) => never;

/**
 * Pairs of `prompt`, `chosen`, `rejected`, or of `chosen` and `rejected` alone, whose common beginning is the prompt;
 * or `prompt`, `completion`, `label`. Texts, or lists of messages. Throws RangeError with the file's place.
 *
 * file   as the user named it, for errors
 */
export function filePreferences(
  { rows, columns: known, lines, place }: FileRows,
  file: string,
  given: PreferenceColumns,
): Preferences {
  const fail = (place: string): Fail => (problem) => {
    throw new RangeError(`Cannot load preferences from ${file}${place}: ${problem}`);
  };
  if (rows.length === 0) fail("")("it has no rows");
  const at = (row: number) => fail(lines ? `:${lines[row]}` : `, ${place?.(row) ?? `row ${row + 1}`}`);
  const columns = withPrompt(given, rows, known),
    has = (name: keyof PreferenceColumns) => known.includes(columns[name]);
  if (has("chosen_column") && has("rejected_column")) {
    const explicit = has("prompt_column");
    return { form: "pairs", rows: rows.map((cells, row) => pairOf(cells, columns, explicit, at(row))) };
  }
  if (has("prompt_column") && has("completion_column") && has("label_column")) {
    return { form: "unpaired", rows: rows.map((cells, row) => labelledOf(cells, columns, at(row))) };
  }
  const missing = missingColumns(columns, known);
  return fail("")(
    `its columns are ${known.join(", ") || "none"}, want ${columns.chosen_column} and ${columns.rejected_column} ` +
      `(with or without ${columns.prompt_column}), or ${columns.prompt_column}, ${columns.completion_column} and ` +
      `${columns.label_column}${missing}; name yours by chosen_column, …`,
  );
}

/**
 * The columns, the prompt's by another name where there is none of the usual one, one that looks like it, and nothing
 * else reads it: of pairs that do not begin with it, and of labelled completions.
 */
function withPrompt(given: PreferenceColumns, rows: readonly Cells[], known: readonly string[]): PreferenceColumns {
  const { prompt_column, chosen_column, completion_column } = given, [first] = rows;
  if (prompt_column !== "prompt" || known.includes(prompt_column) || !first) return given;
  const [chosen, rejected] = [first[chosen_column], first[given.rejected_column]];
  const isText = typeof (known.includes(chosen_column) ? chosen : first[completion_column]) === "string";
  const begins = typeof chosen === "string" && typeof rejected === "string" ? commonBeginning(chosen, rejected) : "";
  // A conversation of which an object is the answer, as LLaMA-Factory has pairs.
  const names = isText ? PROMPT_NAMES : ["conversations", "messages"];
  const found = names.filter((name) => {
    const value = asMessages(first[name]);
    const isPrompt = isText
      ? typeof value === "string" && value.trim() !== "" && !begins.includes(value.trim())
      : Array.isArray(value);
    return known.includes(name) && isPrompt && (isText || asMessages(chosen) !== chosen);
  });
  return found.length === 1 ? { ...given, prompt_column: found[0]! } : given;
}

function commonBeginning(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return a.slice(0, at);
}

/** What a column that is not there may be called. */
function missingColumns(columns: PreferenceColumns, known: readonly string[]): string {
  const wanted = COLUMNS.map((option) => columns[option]).filter((name) => !known.includes(name));
  const hints = wanted.map((name) => nearest(name, known));
  return hints.find((hint) => hint !== "") ?? "";
}

function pairOf(cells: Cells, columns: PreferenceColumns, explicit: boolean, fail: Fail): PreferencePair {
  const { prompt_column, chosen_column, rejected_column } = columns;
  const chosen = asMessages(cells[chosen_column]), rejected = asMessages(cells[rejected_column]);
  const own = explicit && !isRepeated(cells[prompt_column], chosen, rejected)
    ? asMessages(cells[prompt_column])
    : undefined;
  if (Array.isArray(chosen) !== Array.isArray(rejected)) {
    fail(`${chosen_column} and ${rejected_column} are a text and a list of messages, want two of a kind`);
  }
  const split = own === undefined || own === null ? implicit(cells, columns, fail) : { prompt: own, chosen, rejected };
  return {
    prompt: promptText(split.prompt, prompt_column, fail),
    chosen: answerText(split.chosen, chosen_column, fail),
    rejected: answerText(split.rejected, rejected_column, fail),
  };
}

/** Whole conversations that begin with the prompt, as UltraFeedback has them beside it. */
function isRepeated(prompt: unknown, chosen: unknown, rejected: unknown): boolean {
  if (!Array.isArray(chosen) || !Array.isArray(rejected) || chosen.length < 2 || rejected.length < 2) return false;
  const list = asMessages(prompt), own = Array.isArray(list) ? list.at(-1) : { content: prompt };
  const at = Array.isArray(list) ? list.length - 1 : chosen.findLastIndex((message) => message?.role === "user");
  return at >= 0 && [chosen[at], rejected[at]].every((message) => message?.content === own?.content);
}

/** What files call the prompt where they do not call it `prompt`. */
const PROMPT_NAMES = ["question", "query", "instruction", "input", "problem", "prompts", "user", "text", "context"];

/** The column that looks like the prompt and is not in `beginning`, which would be taken for it; null where none is. */
function leftOut(cells: Cells, beginning: string, columns: PreferenceColumns): string | null {
  const read = COLUMNS.map((option) => columns[option]);
  const isLeftOut = ([name, value]: [string, unknown]) =>
    PROMPT_NAMES.includes(name.toLowerCase()) && !read.includes(name) && typeof value === "string" &&
    value.trim() !== "" && !beginning.includes(value.trim());
  return Object.entries(cells).find(isLeftOut)?.[0] ?? null;
}

/** The prompt as the common beginning: messages, or characters up to the space before the first that differs (TRL). */
function implicit(cells: Cells, columns: PreferenceColumns, fail: Fail) {
  const { chosen_column, rejected_column, prompt_column } = columns;
  const chosen = asMessages(cells[chosen_column]), rejected = asMessages(cells[rejected_column]);
  const isList = Array.isArray(chosen), [a, b] = [chosen, rejected] as (string | unknown[])[];
  if (!isList && (typeof a !== "string" || typeof b !== "string")) {
    fail(`${chosen_column} or ${rejected_column} is no text and no list of messages, want one`);
  }
  const same = (i: number) => isList ? JSON.stringify(a![i]) === JSON.stringify(b![i]) : a![i] === b![i];
  const shorter = Math.min(a!.length, b!.length);
  let at = 0;
  while (at < shorter && same(at)) at++;
  const unread = isList ? null : leftOut(cells, a!.slice(0, at) as string, columns);
  if (unread !== null) {
    fail(
      `it has no ${prompt_column}, and nothing reads its column ${unread}, want the prompt; set prompt_column: ` +
        `${unread}, or leave ${unread} out of the file to take the common beginning as the prompt`,
    );
  }
  if (at === a!.length && at === b!.length) {
    fail(`${chosen_column} and ${rejected_column} are the same and there is no ${prompt_column}, want what differs`);
  }
  if (!isList && !(a!.slice(0, at) as string).isWellFormed() && (a as string).isWellFormed()) at--; // within a character
  if (!isList && at > 0 && a![at - 1] === " ") at--;
  if (at === 0) fail(`${chosen_column} and ${rejected_column} have no common beginning, want a ${prompt_column}`);
  return { prompt: a!.slice(0, at), chosen: a!.slice(at), rejected: b!.slice(at) };
}

function labelledOf(cells: Cells, columns: PreferenceColumns, fail: Fail): LabelledCompletion {
  const { prompt_column, completion_column, label_column } = columns;
  return {
    prompt: promptText(cells[prompt_column], prompt_column, fail),
    completion: answerText(cells[completion_column], completion_column, fail),
    label: labelOf(cells[label_column], label_column, fail),
  };
}

const LABELS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ["1", true],
  ["true", true],
  [false, false],
  [0, false],
  ["0", false],
  ["false", false],
]);

function labelOf(value: unknown, column: string, fail: Fail): boolean {
  const label = LABELS.get(typeof value === "string" ? value.trim().toLowerCase() : value);
  return label ?? fail(`${column} is ${shown(value)}, want true or false`);
}

function promptText(written: unknown, column: string, fail: Fail): string {
  const value = asMessages(written);
  if (Array.isArray(value)) return ofMessages(messagesText, value, column, fail);
  if (typeof value !== "string") return fail(`${column} is ${shown(value)}, want a text or a list of messages`);
  if (!value.isWellFormed()) fail(`${column} ${BROKEN_TEXT}`);
  return value === "" ? fail(`${column} is empty, want a text`) : value;
}

function answerText(written: unknown, column: string, fail: Fail): string {
  const value = asMessages(written);
  if (Array.isArray(value)) return ofMessages(completionText, value, column, fail);
  if (typeof value !== "string") return fail(`${column} is ${shown(value)}, want a text or a list of messages`);
  if (!value.isWellFormed()) fail(`${column} ${BROKEN_TEXT}`);
  return value === "" ? fail(`${column} is empty, want a text`) : value;
}

function ofMessages(text: (list: readonly unknown[]) => string, value: unknown[], column: string, fail: Fail): string {
  try {
    return text(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fail(`${column}: ${error.message}`);
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "missing";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
