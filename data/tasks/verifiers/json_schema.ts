/** The verifier `json_schema`: JSON that a schema accepts. @module */
import { z } from "zod";
import { parseJson } from "../../strict_json.ts";
import { isObject } from "../../datasets/cells.ts";
import { boundedValidator } from "./bounded_schema.ts";
import { longestString, schemaProblem } from "./schema_problem.ts";
import { defineVerifier } from "./verifier.ts";

const params = z.strictObject({
  schema: z.union([z.record(z.string(), z.json()), z.boolean()]).optional().describe(
    "the schema of every row; without it each row's answer is its own",
  ),
  around: z.enum(["nothing", "fence", "text"]).default("nothing").describe(
    "what may stand around the JSON: nothing, one ``` fence (or nothing), or any text around one fence, or around the " +
      "only object or list in it",
  ),
  draft: z.enum(["4", "7", "2019-09", "2020-12"]).default("2020-12").describe("version of JSON Schema"),
});

type Options = z.output<typeof params>;

/** Longer completions are wrong: the validator's time grows with the square of a list that must be unique. */
const MOST_CHARACTERS = 20_000;
const DEEPEST = 100;
const MOST_SCHEMA = 200_000;

/**
 * JSON is read strictly: no duplicate key, comment, NaN or trailing comma, and no number that float64 cannot hold
 * (1e400). Formats are checked. The schema may refer to itself only; a completion that takes it too many steps is wrong.
 */
export const jsonSchema = defineVerifier({
  about: "it is JSON that the answer, a JSON schema, accepts",
  params,
  answersAreJson: true,
  needsNoAnswer: ({ schema }) => schema !== undefined,
  problem(answer, options) {
    const problem = options.schema === undefined ? textProblem(answer, options) : checked(options.schema, options);
    return problem && `is no JSON schema that can be used: ${problem}`;
  },
  verify(completion, row, options) {
    const text = jsonIn(completion, options.around);
    if (text === null || text.length > MOST_CHARACTERS) return false;
    try {
      const value = parseJson(text, "a completion", { depth: DEEPEST });
      const { isValid, longest } = validatorOf(options.schema ?? String(row.answer), options);
      return isTame(value, longest) && isValid(value);
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof RangeError) return false;
      throw error;
    }
  },
});

function textProblem(answer: string, options: Options): string | null {
  if (answer.length > MOST_SCHEMA) return `it has more than ${MOST_SCHEMA} characters`;
  try {
    return checked(parseJson(answer, "it"), options);
  } catch (error) {
    if (error instanceof SyntaxError) return error.message.replace(/^Cannot read it: /, "");
    throw error;
  }
}

/** What its words say, and whether its references lead somewhere: that shows when it is used. */
function checked(schema: unknown, { draft }: Options): string | null {
  const problem = schemaProblem(schema);
  if (problem !== null) return problem;
  try {
    const isValid = boundedValidator(structuredClone(schema) as boolean, draft);
    for (const value of [null, true, 0, "", [], {}, [0], { a: 0 }]) isValid(value);
    return null;
  } catch (error) {
    return (error as Error).message.split("\n")[0]!;
  }
}

interface Ready {
  readonly isValid: (value: unknown) => boolean;
  readonly longest: number;
}

/** Validators that were made, by their schema's text: rows share them. */
const MADE = new Map<string, Ready>();
const MOST_MADE = 1000;

function validatorOf(schema: unknown, { draft }: Options): Ready {
  const text = typeof schema === "string" ? schema : JSON.stringify(schema), key = `${draft} ${text}`;
  const known = MADE.get(key);
  if (known) return known;
  if (MADE.size >= MOST_MADE) MADE.clear();
  const value = JSON.parse(text);
  const ready = { isValid: boundedValidator(value, draft), longest: longestString(value) };
  MADE.set(key, ready);
  return ready;
}

/** Finite numbers only, and strings that no pattern takes long for. */
function isTame(value: unknown, longest: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value === "string") return value.length <= longest;
  if (Array.isArray(value)) return value.every((inner) => isTame(inner, longest));
  return !isObject(value) ||
    Object.entries(value).every(([name, inner]) => name.length <= longest && isTame(inner, longest));
}

const FENCE = /```(?:json|JSON)?[ \t]*\r?\n([^`]*)\r?\n?[ \t]*```/g;

/** The text that must be the JSON; null where there is none, or more than one. */
function jsonIn(completion: string, around: Options["around"]): string | null {
  if (completion.length > 2 * MOST_CHARACTERS) return null;
  const text = completion.trim();
  if (around === "nothing") return text;
  const fences = [...text.matchAll(FENCE)];
  if (fences.length > 1) return null;
  if (fences.length === 1) return around === "text" || fences[0]![0] === text ? fences[0]![1]! : null;
  return around === "fence" ? text : onlyValue(text);
}

/** The one object or list that stands in a text, or the text itself where it begins with none. */
function onlyValue(text: string): string | null {
  const start = text.search(/[{[]/);
  if (start < 0) return text;
  const end = endOf(text, start);
  return end === null || /[{[]/.test(text.slice(end)) ? null : text.slice(start, end);
}

/** Where the value that begins at `start` ends: its brackets are counted outside of strings. */
function endOf(text: string, start: number): number | null {
  let depth = 0, inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
  }
  return null;
}
