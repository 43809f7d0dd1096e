/** Applies `-p key=value` to the parameters of a workflow, typed by the type of each default. @module */
import { WorkflowError } from "../language/problems.ts";
import type { Scalar, Value } from "../language/schema.ts";
import { didYouMean } from "../../data/did_you_mean.ts";
import { typeName } from "../language/zod_problems.ts";

/** `["a=1", "b=x=y"]` → `{ a: "1", b: "x=y" }`. Throws WorkflowError. */
export function readAssignments(texts: readonly string[]): Record<string, string> {
  const found = new Map<string, string>();
  for (const text of texts) {
    const equals = text.indexOf("="), key = text.slice(0, equals);
    if (equals < 1) fail(`cannot read "${text}", want key=value`);
    if (found.has(key)) fail(`"${key}" is given twice`);
    found.set(key, text.slice(equals + 1));
  }
  return Object.fromEntries(found);
}

/** The parameters with the overrides in place. Throws WorkflowError for an unknown key or a wrong type. */
export function overrideParams(
  defaults: Readonly<Record<string, Value>>,
  overrides: Readonly<Record<string, string | Value>>,
): Record<string, Value> {
  const changed = Object.entries(overrides).map(([key, given]) => {
    if (!Object.hasOwn(defaults, key)) {
      const none = Object.keys(defaults).length === 0
        ? '; the workflow has no "params"'
        : didYouMean(key, Object.keys(defaults));
      fail(`unknown parameter "${key}"${none}`);
    }
    return [key, typedLike(defaults[key]!, given, key)];
  });
  return { ...defaults, ...Object.fromEntries(changed) };
}

function typedLike(example: Value, given: string | Value, key: string): Value {
  if (typeof given === "string" && given.includes("${{")) fail(`"${key}" is an expression, want a value`);
  if (Array.isArray(example)) return listLike(example, given, key);
  if (Array.isArray(given)) fail(`"${key}" is a list, want ${typeName(typeof example)}`);
  return scalarLike(example as Scalar, given as Scalar, key);
}

function scalarLike(example: Scalar, given: Scalar, key: string): Scalar {
  if (typeof example === "string") return typeof given === "string" ? given : fail(`"${key}" is ${given}, want a text`);
  if (typeof given === typeof example && (typeof given !== "number" || Number.isFinite(given))) return given;
  const text = String(given).trim();
  if (typeof example === "boolean" && (text === "true" || text === "false")) return text === "true";
  const value = text === "" ? NaN : Number(text);
  if (typeof example === "number" && Number.isFinite(value)) return value;
  return fail(`"${key}" is ${JSON.stringify(given)}, want ${typeName(typeof example)} like its default ${example}`);
}

/** A list: values, `[1, 2]` as JSON, or `1,2`. */
function listLike(example: readonly Scalar[], given: string | Value, key: string): Value {
  const items = Array.isArray(given) ? given : splitList(String(given), key);
  const kinds = new Set(example.map((item) => typeof item));
  return kinds.size === 1 ? items.map((item) => scalarLike(example[0]!, item, key)) : items;
}

function splitList(text: string, key: string): Scalar[] {
  if (!text.trimStart().startsWith("[")) return text === "" ? [] : text.split(",");
  try {
    const items: unknown = JSON.parse(text);
    if (Array.isArray(items) && items.every((item) => ["number", "string", "boolean"].includes(typeof item))) {
      return items;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return fail(`"${key}" is ${text}, want a list such as [1, 2] or 1,2`);
}

function fail(message: string): never {
  throw new WorkflowError([{ file: "-p", path: [], position: null, sourceLine: null, message }]);
}
