/** Recognises by the names and values of columns what a data set is for, so that common ones need no options. @module */
import { cellOf, isObject } from "./cells.ts";
import { asMessages } from "./messages.ts";
import type { Row } from "./row_batch.ts";

/** What load_prompts then reads. */
export interface PromptColumns {
  /** What it is called, for a person. */
  readonly convention: string;
  readonly prompt_column?: string;
  readonly input_column?: string;
  readonly answer_column?: string;
  readonly messages_column?: string;
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
  const sample = rows.slice(0, SAMPLE), has = (name: string) => sample.some((row) => filled(cellOf(row, name)));
  const messages = given.messages_column === undefined && given.prompt_column === undefined &&
      given.answer_column === undefined
    ? MESSAGES.filter((name) => known.includes(name) && sample.some((row) => isConversation(row[name])))
    : [];
  const isVerl = has(GROUND_TRUTH) && (given.answer_column ?? GROUND_TRUTH) === GROUND_TRUTH;
  const pairs = isVerl
    ? [{ prompt: given.prompt_column ?? "prompt", answer: GROUND_TRUTH }]
    : pairsOf(known, has, given);
  const ways = [
    ...messages.map((name) => `messages_column: ${name}`),
    ...pairs.map(({ prompt, answer }) => `prompt_column: ${prompt} with answer_column: ${answer}`),
  ];
  if (ways.length === 0 || given.messages_column !== undefined) return null;
  if (ways.length > 1) {
    throw new RangeError(
      `its columns can be read in ${ways.length} ways: ${ways.join("; or ")}; set those that are meant`,
    );
  }
  const [column] = messages;
  if (column !== undefined) return { convention: "chat", messages_column: column, verifier: "none" };
  const { prompt, answer } = pairs[0]!;
  const input = prompt === "instruction" && known.includes("input") ? { input_column: "input" } : {};
  const judged = verifierOf(sample, known, answer);
  const convention = isVerl
    ? "verl"
    : judged.convention ?? (prompt === "instruction" ? "instruction" : `${prompt}, ${answer}`);
  return { ...judged, convention, prompt_column: prompt, ...input, answer_column: answer };
}

function pairsOf(known: readonly string[], has: (name: string) => boolean, given: GivenColumns) {
  // An instruction's input is a part of its prompt.
  const hidden = known.includes("instruction") && known.includes("output") ? ["input"] : [];
  const { prompt_column, answer_column } = given;
  const prompts = prompt_column !== undefined
    ? [prompt_column]
    : Object.keys(PAIRS).filter((name) => known.includes(name) && !hidden.includes(name) && has(name));
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

const filled = (value: unknown) => value !== undefined && value !== null;

function isConversation(value: unknown): boolean {
  const list = asMessages(typeof value === "string" && /^\s*\[\s*\{/.test(value) ? parsed(value) : value);
  return Array.isArray(list) && list.length > 0 &&
    list.every((message) =>
      isObject(message) && (("role" in message && "content" in message) || ("from" in message && "value" in message))
    );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // a text that merely begins so
  }
}

/** Which verifier reads the answers, by where they are from or how all of them look; exact where nothing says another. */
export function verifierOf(
  rows: readonly Row[],
  known: readonly string[],
  answer_column: string,
): Pick<PromptColumns, "verifier" | "verifier_options" | "columns"> & { readonly convention?: string } {
  const sample = rows.slice(0, SAMPLE), sources = new Set(sample.map((row) => String(row["data_source"] ?? "")));
  const answers = sample.map((row) => cellOf(row, answer_column)).filter(filled).map(String);
  const all = (test: (answer: string) => boolean) => answers.length > 0 && answers.every(test);
  const source = sources.size === 1 ? [...sources][0]! : "";
  if (/gsm8k/i.test(source)) return { verifier: "gsm8k" };
  if (/\bmath|aime|amc|numina|olympiad/i.test(source)) return { verifier: "boxed" };
  if (all((answer) => /####\s*[-$−]?[\d.]/.test(answer))) return { verifier: "gsm8k", convention: "GSM8K" };
  if (all((answer) => /\\(?:boxed|fbox)\b/.test(answer))) return { verifier: "boxed", convention: "MATH" };
  const choices = CHOICES.find((name) => known.includes(name) && sample.every((row) => Array.isArray(row[name])));
  if (choices !== undefined && all((answer) => /^(?:[A-J]|\d)$/.test(answer.trim()))) {
    return {
      verifier: "multiple_choice",
      verifier_options: { choices_column: choices },
      columns: [choices],
      convention: "multiple choice",
    };
  }
  if (all((answer) => /^\s*\{/.test(answer) && /"fn_name"/.test(answer))) {
    return { verifier: "unit_tests", convention: "code with tests" };
  }
  return { verifier: "exact" };
}
