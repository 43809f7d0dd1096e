/** Says in one plain sentence per problem what a zod schema found wrong with a value. @module */
import type { z } from "zod";
import type { Path, Problem } from "./problems.ts";
import { misplaced, ourWord, withoutEchoes } from "./key_problems.ts";
import { isOwn, knownKeys, knownValues, valueAt } from "./known_keys.ts";
import { didYouMean, nearest } from "../../data/did_you_mean.ts";

/** The part of a zod issue that is read here. */
interface ZodIssue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly [key: string]: unknown;
}

/** What a schema made of a value: its output, or problems. */
interface Read<T> {
  /** Undefined where there are problems. */
  readonly data: T | undefined;
  readonly problems: readonly Problem[];
}

/** Reads a value by its schema; `base` is its place in the document. */
export function readAs<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  base: Path = [],
  elsewhere: Elsewhere = () => null,
): Read<z.output<Schema>> {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return { data, problems: [] };
  const problems = error.issues.flatMap((issue) =>
    explain(issue as unknown as ZodIssue, { schema, value, base, elsewhere })
  );
  return { data: undefined, problems: withoutEchoes(problems) };
}

/** What is said of a key that belongs elsewhere, by its name and the keys of the value down to its map; null: nothing. */
type Elsewhere = (key: string, within: Path) => string | null;

interface Subject {
  readonly elsewhere: Elsewhere;
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly base: Path;
}

function explain(issue: ZodIssue, subject: Subject): Problem[] {
  const local = issue.path as Path, path = [...subject.base, ...local], value = valueAt(subject.value, local);
  const ofUnion = issue.code === "invalid_union" ? unionProblems(issue, subject, value) : null;
  if (ofUnion !== null) return ofUnion;
  if (issue.code === "unrecognized_keys") {
    const all = knownKeys(subject.schema, subject.value, local), free = all.filter((name) => !isOwn(value, name));
    const known = free.length > 0 ? free : all;
    return (issue.keys as string[]).map((key) =>
      unknownKey(
        path,
        key,
        misplaced(key, path, value, known) ?? subject.elsewhere(key, local) ?? didYouMean(ourWord(key, known), known),
      )
    );
  }
  if (value === undefined && local.length > 0 && issue.code !== "custom") {
    return [{ path, message: `missing key "${String(path.at(-1))}"${inside(path)}` }];
  }
  if (issue.code === "invalid_key") {
    const inner = (issue.issues as ZodIssue[])[0]?.message ?? "want another name";
    return [{ path, key: true, message: `${labelOf(path)} is no name, ${inner}` }];
  }
  const offset = (issue.params as { readonly offset?: number } | undefined)?.offset;
  if (offset !== undefined) return [{ path, message: issue.message, offset }];
  // What the schema itself wants of a value of another type.
  const want = issue.message.startsWith("want ") ? null : wanted(issue);
  if (want === null) return ownProblems(issue.message, path, value);
  const suggestion = issue.code === "invalid_value" && typeof value === "string"
    ? nearest(value, (issue.values as unknown[]).map(String))
    : "";
  return [{ path, message: `${labelOf(path)} is ${show(value)}, want ${want}${suggestion}` }];
}

/** What is wrong in the branch that the writer meant, or with the value as a whole; null where it is absent. */
function unionProblems(issue: ZodIssue, subject: Subject, value: unknown): Problem[] | null {
  const branches = issue.errors as ZodIssue[][];
  const branch = closestBranch(branches, value);
  if (branch !== null) {
    return branch.flatMap((inner) => explain({ ...inner, path: [...issue.path, ...inner.path] }, subject));
  }
  if (value === undefined) return null;
  const local = issue.path as Path, path = [...subject.base, ...local];
  if (issue.discriminator === undefined) {
    return [{ path, message: `${labelOf(path)} is ${show(value)}, want ${alternatives(branches)}` }];
  }
  const known = knownValues(subject.schema, subject.value, local);
  const hint = didYouMean(String(value), known);
  return [{ path, message: `unknown ${String(issue.discriminator)} ${show(value)}${hint}` }];
}

function unknownKey(path: Path, key: string, hint = ""): Problem {
  return { path: [...path, key], key: true, message: `unknown key "${key}"${hint}` };
}

/** What a message says that the schema wrote itself, or that was passed on from a nested schema as a text. */
function ownProblems(message: string, path: Path, value: unknown): Problem[] {
  // The keys that a nested schema refused, when its message was passed on as a text.
  const refused = [...(/^Unrecognized keys?: (.*)$/.exec(message)?.[1] ?? "").matchAll(/"([^"]+)"/g)];
  if (refused.length > 0) return refused.map(([, key]) => unknownKey(path, key!));
  const isKey = message.startsWith("unknown key ");
  return [{ path, message: ownWords(message, labelOf(path), value), ...(isKey ? { key: true } : {}) }];
}

/** A message the schema wrote itself, completed where it speaks of a value without naming it. */
function ownWords(message: string, label: string, value: unknown): string {
  if (message.startsWith("want ")) return `${label} is ${show(value)}, ${message}`;
  if (!/^(Invalid|Too small|Too big)/.test(message)) return message;
  const want = zodWords(message);
  if (want !== null) return `${label} is ${show(value)}, want ${want}`;
  return `${label} is ${show(value)}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

const BOUNDS = { "<=": "at most", ">=": "at least", "<": "less than", ">": "more than" };

/** What zod's own sentence wants, when a nested schema's message was passed on as a text. */
function zodWords(message: string): string | null {
  const bound = /^Too (?:small|big): expected .* (?:to be|to have) ([<>]=?)(-?[\d.e+]+)/.exec(message);
  if (bound !== null) return `${BOUNDS[bound[1] as keyof typeof BOUNDS]} ${bound[2]}`;
  const type = /^Invalid input: expected (\w+)/.exec(message)?.[1];
  if (type !== undefined) return typeName(type);
  const options = /^Invalid option: expected one of (.*)$/.exec(message)?.[1];
  return options === undefined ? null : `one of ${options.replaceAll("|", ", ")}`;
}

/** What the schema wanted, in words; null when the schema says it itself. */
function wanted(issue: ZodIssue): string | null {
  if (issue.code === "invalid_type") return typeName(String(issue.expected));
  if (issue.code === "invalid_value") {
    const values = (issue.values as unknown[]).map((value) => JSON.stringify(value));
    return values.length === 1 ? values[0]! : `one of ${values.join(", ")}`;
  }
  if (issue.code === "too_small" || issue.code === "too_big") {
    const isSmall = issue.code === "too_small";
    const unit = issue.origin === "string" ? " character(s)" : issue.origin === "array" ? " item(s)" : "";
    const sign = `${isSmall ? ">" : "<"}${issue.inclusive === false ? "" : "="}` as const;
    return `${BOUNDS[sign]} ${String(isSmall ? issue.minimum : issue.maximum)}${unit}`;
  }
  return issue.code === "not_multiple_of" ? `a multiple of ${issue.divisor}` : null;
}

const TYPE_NAMES: Record<string, string> = {
  int: "a whole number",
  number: "a number",
  string: "a text",
  boolean: "true or false",
  array: "a list",
  object: "keys with values",
  record: "keys with values",
  null: "null",
};

/** A type in words, with its article. */
export function typeName(expected: string): string {
  return TYPE_NAMES[expected] ?? expected;
}

/** The value as a person would write it, short. */
export function show(value: unknown): string {
  if (value === undefined) return "absent";
  if (value === null) return "empty";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  if (typeof value === "object") return "keys with values";
  if (typeof value === "number") return String(value);
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text;
}

function labelOf(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return "the document";
  if (typeof last === "string") return `"${last}"`;
  const list = path.findLast((part) => typeof part === "string");
  return list === undefined ? `item ${last + 1}` : `item ${last + 1} of "${list}"`;
}

function inside(path: Path): string {
  const parent = path.slice(0, -1).findLast((part) => typeof part === "string");
  return parent === undefined ? "" : ` in "${parent}"`;
}

/** The branch of a union the writer meant: the one that fits the value's shape best; null when none fits at all. */
function closestBranch(branches: readonly ZodIssue[][], value: unknown): ZodIssue[] | null {
  if (branches.length === 0) return null;
  // Branches that refuse the value's type say nothing about what is inside it.
  const inner = branches.filter((issues) =>
    !issues.some((issue) => issue.code === "invalid_type" && issue.path.length === 0)
  );
  // An expression fails by its pattern: unless it was begun, the writer meant the plain value.
  const isText = typeof value === "string";
  const meant = inner.filter((issues) =>
    !isText || value.includes("${{") || !issues.some((issue) => issue.code === "invalid_format")
  );
  if (meant.length === 0) return null;
  return meant.toSorted((a, b) => cost(a, value) - cost(b, value))[0]!;
}

/** Problems of a branch; with steps inside, a step is not what was meant. */
function cost(issues: readonly ZodIssue[], value: unknown): number {
  const unknown = issues.flatMap((issue) => issue.code === "unrecognized_keys" ? issue.keys as string[] : []);
  const isRepeat = isOwn(value, "repeat") || isOwn(value, "steps");
  const others = issues.filter(({ code }) => code !== "unrecognized_keys").length;
  return unknown.length + others + (isRepeat && unknown.includes("steps") ? 1000 : 0);
}

function alternatives(branches: readonly ZodIssue[][]): string {
  const wants = branches.flat().filter((issue) => issue.path.length === 0).map((issue) =>
    issue.code === "invalid_union"
      ? alternatives(issue.errors as ZodIssue[][])
      : issue.message.startsWith("want ")
      ? issue.message.slice("want ".length)
      : wanted(issue) ?? issue.message
  );
  return [...new Set(wants)].join(" or ");
}
