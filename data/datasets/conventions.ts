/** Recognises by the names and values of columns what a data set is for, so that common ones need no options. @module */
import { readBoxes } from "../boxes/read_boxes.ts";
import { cellOf, isObject } from "./cells.ts";
import { jsonCell } from "./depth.ts";
import { DETECTION_COLUMNS } from "./detection/detection_options.ts";
import { asMessages, messagesText, withoutImages } from "./messages.ts";
import type { Row } from "./row_batch.ts";

/** What load_prompts then reads. */
export interface PromptColumns {
  /** What it is called, for a person. */
  readonly convention: string;
  readonly prompt_column?: string;
  readonly input_column?: string;
  readonly answer_column?: string;
  readonly messages_column?: string;
  /** Of rows that know their split. */
  readonly split_column?: string;
  readonly verifier: string;
  readonly verifier_options?: Readonly<Record<string, string>>;
  /** Columns that the verifier reads. */
  readonly columns?: readonly string[];
}

/** What was said explicitly: it wins. */
interface GivenColumns {
  readonly prompt_column?: string | undefined;
  readonly answer_column?: string | null | undefined;
  readonly messages_column?: string | undefined;
}

/** What rows are called that annotations of images became. */
export const ANNOTATED = "annotations of images";

const DETECTION: PromptColumns = {
  convention: ANNOTATED,
  prompt_column: "prompt",
  answer_column: "answer",
  split_column: "split",
  // Boxes are judged by rewards: no two models say the same ones.
  verifier: "none",
  columns: ["image_id", "category", "category_split"],
};

const MESSAGES = ["messages", "conversations", "conversation"];
const GROUND_TRUTH = "reward_model.ground_truth";
/** Which answers belong to which prompts, the more usual first. */
const PAIRS: Readonly<Record<string, readonly string[]>> = {
  prompt: ["answer", "completion", "response", "ground_truth", "solution", "target"],
  question: ["answer", "solution", "response"],
  problem: ["answer", "solution"],
  instruction: ["output", "response"],
  query: ["response", "answer"],
  input: ["output", "target", "answer"],
};
/** What holds the prompt of preferences where it is not called so, besides conversations. */
const PROMPT_NAMES = [...Object.keys(PAIRS), "prompts", "user", "text", "context"];
const IMAGES = ["image", "images"];
const CHOICES = ["choices", "options"];
/** Rows that are looked at. */
const SAMPLE = 100;

/**
 * The columns to read. Throws RangeError, as the end of a sentence about the file, where two readings are as good; null
 * where nothing is known: the names by default then say what is missing.
 */
export function promptColumns(
  rows: readonly Row[],
  known: readonly string[],
  given: GivenColumns,
): PromptColumns | null {
  if (DETECTION_COLUMNS.every((name) => known.includes(name))) return DETECTION;
  const sample = rows.slice(0, SAMPLE), has = (name: string) => sample.some((row) => filled(cellOf(row, name)));
  const messages = given.messages_column === undefined && given.prompt_column === undefined &&
      given.answer_column === undefined
    ? MESSAGES.filter((name) => known.includes(name) && sample.some((row) => isConversation(row[name])))
    : [];
  const asked = MESSAGES.filter((name) => known.includes(name) && sample.some((row) => isQuestion(row[name])));
  const isVerl = has(GROUND_TRUTH) && (given.answer_column ?? GROUND_TRUTH) === GROUND_TRUTH;
  const pairs = isVerl
    ? [{ prompt: given.prompt_column ?? "prompt", answer: GROUND_TRUTH }]
    : pairsOf(known, has, given, asked);
  // Messages that end with the user's, beside an answer, are its prompt.
  const whole = messages.filter((name) => !pairs.some(({ prompt }) => prompt === name));
  const ways = [
    ...whole.map((name) => `messages_column: ${name}`),
    ...pairs.map(({ prompt, answer }) => `prompt_column: ${prompt} with answer_column: ${answer}`),
  ];
  if (ways.length === 0 || given.messages_column !== undefined) return null;
  if (ways.length > 1) {
    throw new RangeError(
      `its columns can be read in ${ways.length} ways: ${ways.join("; or ")}; set those that are meant`,
    );
  }
  const [column] = whole;
  if (column !== undefined) return { convention: "chat", messages_column: column, verifier: "none" };
  const { prompt, answer } = pairs[0]!;
  const input = prompt === "instruction" && known.includes("input") ? { input_column: "input" } : {};
  const found = verifierOf(sample, known, answer);
  // A model of conversations answers in sentences, in which a number is looked for.
  const isTalk = found.verifier === "exact" &&
    isMost(sample, (row) => isQuestion(row[prompt]) && isNumber(cellOf(row, answer)));
  const judged = isTalk ? { ...found, verifier: "gsm8k" } : found;
  const convention = isVerl
    ? "verl"
    : judged.convention ?? (prompt === "instruction" ? "instruction" : `${prompt}, ${answer}`);
  return { ...judged, convention, prompt_column: prompt, ...input, answer_column: answer };
}

function pairsOf(
  known: readonly string[],
  has: (name: string) => boolean,
  given: GivenColumns,
  asked: readonly string[],
) {
  // An instruction's input is a part of its prompt.
  const hidden = known.includes("instruction") && known.includes("output") ? ["input"] : [];
  const { prompt_column, answer_column } = given;
  const prompts = prompt_column !== undefined ? [prompt_column] : [
    ...Object.keys(PAIRS).filter((name) => known.includes(name) && !hidden.includes(name) && has(name)),
    ...asked,
  ];
  return prompts.flatMap((prompt) => {
    const usual = PAIRS[prompt] ?? [...new Set(Object.values(PAIRS).flat())];
    const answers = answer_column === null
      ? []
      : answer_column !== undefined
      ? [answer_column]
      : usual.filter((name) => known.includes(name) && name !== prompt && has(name));
    return answers.map((answer) => ({ prompt, answer }));
  });
}

/** What the columns of preferences are called where nothing says another. */
export const PREFERENCE_COLUMNS = {
  prompt_column: "prompt",
  chosen_column: "chosen",
  rejected_column: "rejected",
  completion_column: "completion",
  label_column: "label",
} as const;

export type PreferenceColumns = Readonly<Record<keyof typeof PREFERENCE_COLUMNS, string>>;

/** What load_preferences then reads. */
export interface PreferenceReading {
  readonly form: "pairs" | "unpaired";
  readonly columns: PreferenceColumns;
  /** Without it the common beginning of a pair is its prompt. */
  readonly hasPrompt: boolean;
}

export const isPromptName = (name: string) => PROMPT_NAMES.includes(name.toLowerCase());

/**
 * The columns of pairs, else of labelled completions; the prompt's by another name where there is none of the usual one,
 * one that looks like it, and nothing else reads it. Throws RangeError, as the end of a sentence about the file, where
 * two may be the prompt, or the one that is named is not there; null for rows that are no preferences.
 */
export function preferenceColumns(
  rows: readonly Row[],
  known: readonly string[],
  given: PreferenceColumns = PREFERENCE_COLUMNS,
): PreferenceReading | null {
  const options = Object.keys(PREFERENCE_COLUMNS) as (keyof PreferenceColumns)[];
  const columns = Object.fromEntries(options.map((option) => [option, given[option]])) as unknown as PreferenceColumns;
  const has = (...names: (keyof PreferenceColumns)[]) => names.every((name) => known.includes(columns[name]));
  const form = has("chosen_column", "rejected_column")
    ? "pairs"
    : has("completion_column", "label_column")
    ? "unpaired"
    : null;
  if (form === null) return null;
  if (has("prompt_column")) return { form, columns, hasPrompt: true };
  if (columns.prompt_column !== PREFERENCE_COLUMNS.prompt_column) {
    throw new RangeError(`it has no column "${columns.prompt_column}" (option prompt_column)`);
  }
  const sample = rows.slice(0, SAMPLE);
  const prompts = known.filter((name) =>
    (isPromptName(name) || MESSAGES.includes(name)) && sample.some((row) => isPromptOf(row, name, form, columns))
  );
  if (prompts.length > 1) {
    throw new RangeError(`its prompt can be in ${prompts.join(" or ")}; set prompt_column: ${prompts[0]}`);
  }
  const [prompt] = prompts;
  if (prompt === undefined) return form === "pairs" ? { form, columns, hasPrompt: false } : null;
  return { form, columns: { ...columns, prompt_column: prompt }, hasPrompt: true };
}

/** Whether a cell is a conversation that waits for an answer. */
function isQuestion(value: unknown): boolean {
  const list = listOf(value);
  return isConversation(list) && isAsked(list as unknown[]);
}

/** Whether a cell is what was asked: a text or a conversation that no answer begins with. */
function isPromptOf(row: Row, name: string, form: string, { chosen_column, rejected_column }: PreferenceColumns) {
  const [value, chosen, rejected] = [name, chosen_column, rejected_column].map((column) => asMessages(row[column]));
  // Whole conversations begin with their prompt.
  if (form === "pairs" && Array.isArray(chosen) && chosen.length > 1) return false;
  if (Array.isArray(value)) return isConversation(value) && isAsked(value);
  if (typeof value !== "string" || value.trim() === "") return false;
  return typeof chosen !== "string" || typeof rejected !== "string" ||
    !commonBeginning(chosen, rejected).includes(value.trim());
}

function isAsked(list: readonly unknown[]): boolean {
  try {
    return messagesText(withoutImages(list)) !== "";
  } catch {
    return false; // it ends with an answer, or holds what is no text
  }
}

function commonBeginning(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return a.slice(0, at);
}

const isNumber = (value: unknown) => /^\s*[-+−]?[$€£]?\d[\d,]*(?:\.\d+)?\s*%?\s*$/.test(String(value ?? ""));

const filled = (value: unknown) => value !== undefined && value !== null;

const listOf = (value: unknown) =>
  asMessages(typeof value === "string" && /^\s*\[\s*\{/.test(value) ? parsed(value) : value);

function isConversation(value: unknown): boolean {
  const list = listOf(value);
  return Array.isArray(list) && list.length > 0 &&
    list.every((message) =>
      isObject(message) && (("role" in message && "content" in message) || ("from" in message && "value" in message))
    );
}

function parsed(text: string): unknown {
  try {
    return jsonCell(text);
  } catch {
    return null; // a text that merely begins so
  }
}

/**
 * Which verifier reads the answers, by where they are from or how most of them look: a bad row among them is then named,
 * where `exact` would judge every row by texts that no completion has. Exact where nothing says another.
 */
export function verifierOf(
  rows: readonly Row[],
  known: readonly string[],
  answer_column: string,
): Pick<PromptColumns, "verifier" | "verifier_options" | "columns"> & { readonly convention?: string } {
  const sample = rows.slice(0, SAMPLE), sources = new Set(sample.map((row) => String(row["data_source"] ?? "")));
  const answers = sample.map((row) => cellOf(row, answer_column)).filter(filled).map((value) =>
    typeof value === "object" ? JSON.stringify(value) : String(value)
  );
  const most = (test: (answer: string) => boolean) => isMost(answers, test);
  const source = sources.size === 1 ? [...sources][0]! : "";
  if (/gsm8k/i.test(source)) return { verifier: "gsm8k" };
  if (/\bmath|aime|amc|numina|olympiad/i.test(source)) return { verifier: "boxed" };
  if (most((answer) => /####\s*[-$−]?[\d.]/.test(answer))) return { verifier: "gsm8k", convention: "GSM8K" };
  if (most((answer) => /\\(?:boxed|fbox)\b/.test(answer))) return { verifier: "boxed", convention: "MATH" };
  const choices = CHOICES.find((name) => known.includes(name) && sample.every((row) => Array.isArray(row[name])));
  if (choices !== undefined && most((answer) => /^(?:[A-J]|\d)$/.test(answer.trim()))) {
    return {
      verifier: "multiple_choice",
      verifier_options: { choices_column: choices },
      columns: [choices],
      convention: "multiple choice",
    };
  }
  if (most((answer) => /^\s*\{/.test(answer) && /"fn_name"/.test(answer))) {
    return { verifier: "unit_tests", convention: "code with tests" };
  }
  const ofImages = known.some((name) => IMAGES.includes(name));
  if (most((answer) => isBoxes(answer, ofImages))) return { verifier: "boxes", convention: "boxes" };
  if (most(isSchema)) return { verifier: "json_schema", convention: "JSON schemas" };
  return { verifier: "exact" };
}

/** Of a few that are bad the others are no less what they are. */
const isMost = <One>(all: readonly One[], test: (one: One) => boolean) => all.filter(test).length > all.length / 2;

/** Whether a text is boxes and says so; four numbers in brackets may be anything where there are no images. */
const isBoxes = (answer: string, ofImages: boolean) =>
  (/position|bbox|box_2d|<\|box_start\|>/i.test(answer) ||
    (ofImages && !/[a-z]/i.test(answer.replaceAll(/<\/?answer>/g, "")))) && readBoxes(answer).boxes.length > 0;

const SCHEMA_TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** Whether a text is an object that says of itself that it is a JSON schema, or of which type its instances are. */
function isSchema(answer: string): boolean {
  const value = /^\s*\{/.test(answer) ? parsed(answer) : null;
  return isObject(value) && ("$schema" in value || SCHEMA_TYPES.includes(value["type"] as string));
}
