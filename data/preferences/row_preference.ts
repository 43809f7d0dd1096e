/** Makes a preference of a row, in the forms that TRL reads. @module */
import { isPromptName, type PreferenceColumns, type PreferenceReading } from "../datasets/conventions.ts";
import { asMessages, BROKEN_TEXT, completionText, messagesText } from "../datasets/messages.ts";
import { imagesIn, imagesInCompletion } from "../datasets/prompt_images.ts";
import type { LabelledCompletion, PreferencePair } from "./preference.ts";

type Cells = Readonly<Record<string, unknown>>;
type Fail = (problem: string) => never;

/**
 * A pair of `prompt`, `chosen`, `rejected`, or of `chosen` and `rejected` alone, whose common beginning is the prompt;
 * or `prompt`, `completion`, `label`. Texts, or lists of messages. What is wrong `fail` throws.
 */
export function rowPreference(
  cells: Cells,
  { form, columns, hasPrompt }: PreferenceReading,
  fail: Fail,
): PreferencePair | LabelledCompletion {
  return form === "pairs" ? pairOf(cells, columns, hasPrompt, fail) : labelledOf(cells, columns, fail);
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

/** The column that looks like the prompt and is not in `beginning`, which would be taken for it; null where none is. */
function leftOut(cells: Cells, beginning: string, columns: PreferenceColumns): string | null {
  const read = Object.values(columns);
  const isLeftOut = ([name, value]: [string, unknown]) =>
    isPromptName(name) && !read.includes(name) && typeof value === "string" &&
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
    label: labelOf(cells[label_column]) ??
      fail(`${label_column} is ${shown(cells[label_column])}, want true or false`),
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

/** A label in the forms files have them; null for anything else. */
export function labelOf(value: unknown): boolean | null {
  return LABELS.get(typeof value === "string" ? value.trim().toLowerCase() : value) ?? null;
}

function promptText(written: unknown, column: string, fail: Fail): string {
  const value = asMessages(written);
  const text = Array.isArray(value) ? ofMessages(messagesText, value, column, fail) : plainText(value, column, fail);
  return imagesIn(text).length > 0 ? fail(`${column} shows an image, want texts alone`) : text;
}

function answerText(written: unknown, column: string, fail: Fail): string {
  const value = asMessages(written);
  const text = Array.isArray(value) ? ofMessages(completionText, value, column, fail) : plainText(value, column, fail);
  return imagesInCompletion(text).length > 0 ? fail(`${column} shows an image, want texts alone`) : text;
}

function plainText(value: unknown, column: string, fail: Fail): string {
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
