/** What is wrong with a JSON schema: every word in it must mean something to the validator, and end. @module */
import { format, ignoredKeyword, schemaArrayKeyword, schemaKeyword, schemaMapKeyword } from "@cfworker/json-schema";
import { isObject } from "../../datasets/cells.ts";
import { longestText } from "./safe_pattern.ts";

const TYPES = ["null", "boolean", "number", "integer", "string", "array", "object"];
/** Said of a schema and without effect on what is valid. */
const NOTES = ["title", "description", "examples", "deprecated", "readOnly", "writeOnly", "minContains", "maxContains"];
const SCHEMAS: Readonly<Record<string, boolean>> = schemaKeyword,
  LISTS: Readonly<Record<string, boolean>> = schemaArrayKeyword,
  MAPS: Readonly<Record<string, boolean>> = schemaMapKeyword;
const WORDS: Readonly<Record<string, boolean>> = { ...ignoredKeyword, ...SCHEMAS, ...LISTS, ...MAPS };
const DEEPEST = 50;

/** Words whose value has a type of its own. */
const VALUES: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => [value].flat().every((type) => TYPES.includes(type as string)),
  enum: Array.isArray,
  required: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  format: (value) => typeof value === "string" && Object.hasOwn(format, value),
  uniqueItems: (value) => typeof value === "boolean",
  $ref: (value) => typeof value === "string" && value.startsWith("#"),
  ...Object.fromEntries(
    ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"]
      .map((name) => [name, (value: unknown) => Number.isInteger(value) && (value as number) >= 0]),
  ),
  ...Object.fromEntries(
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"].map((name) => [name, Number.isFinite]),
  ),
};

/** The first thing that is wrong, as the end of a sentence about the schema; null for one that can be used. */
export function schemaProblem(schema: unknown, place = "it", depth = 0): string | null {
  if (typeof schema === "boolean") return null;
  if (!isObject(schema)) return `${place} is ${JSON.stringify(schema)?.slice(0, 40)}, want an object or a boolean`;
  if (depth > DEEPEST) return `${place} lies deeper than ${DEEPEST} schemas`;
  for (const [word, value] of Object.entries(schema)) {
    const problem = wordProblem(word, value, place, depth);
    if (problem !== null) return problem;
  }
  return null;
}

function wordProblem(word: string, value: unknown, place: string, depth: number): string | null {
  const inside = (schema: unknown, name: string | number) =>
    schemaProblem(schema, `${place}.${word}.${name}`, depth + 1);
  if (!Object.hasOwn(WORDS, word) && !NOTES.includes(word) && word !== "dependencies") {
    return `${place} has the unknown word "${word}"`;
  }
  if (Object.hasOwn(VALUES, word) && !VALUES[word]!(value)) {
    return `${place} has ${word}: ${JSON.stringify(value)?.slice(0, 60)}, which the validator does not know`;
  }
  const patterns = word === "pattern"
    ? [value]
    : word === "patternProperties" && isObject(value)
    ? Object.keys(value)
    : [];
  for (const pattern of patterns) {
    const problem = patternProblem(pattern);
    if (problem !== null) return `${place} has the pattern ${JSON.stringify(pattern)}, ${problem}`;
  }
  if (Object.hasOwn(MAPS, word) && !isObject(value)) return `${place}.${word} is no object of schemas`;
  const schemas = Object.hasOwn(MAPS, word)
    ? Object.entries(value as Record<string, unknown>)
    : Object.hasOwn(LISTS, word) && Array.isArray(value)
    ? [...value.entries()]
    : null;
  if (schemas) return schemas.map(([name, schema]) => inside(schema, name)).find((problem) => problem !== null) ?? null;
  return Object.hasOwn(SCHEMAS, word) ? schemaProblem(value, `${place}.${word}`, depth + 1) : null;
}

function patternProblem(pattern: unknown): string | null {
  if (typeof pattern !== "string") return "want a text";
  try {
    new RegExp(pattern, "u");
  } catch (error) {
    return `which is no regular expression: ${(error as Error).message}`;
  }
  return longestText(pattern) === null
    ? "which may never end on some texts; put no repetition, alternative or back reference inside a repetition"
    : null;
}

/** The longest string that every pattern of a schema can be tried on, in characters. */
export function longestString(schema: unknown): number {
  const lengths: number[] = [];
  const look = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(look);
    if (!isObject(value)) return;
    for (const [word, inner] of Object.entries(value)) {
      if (word === "pattern" && typeof inner === "string") lengths.push(longestText(inner) ?? 0);
      if (word === "patternProperties" && isObject(inner)) {
        lengths.push(...Object.keys(inner).map((pattern) => longestText(pattern) ?? 0));
      }
      look(inner);
    }
  };
  look(schema);
  return Math.min(...lengths, Infinity);
}
