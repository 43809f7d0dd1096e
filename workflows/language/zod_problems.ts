/**
 * Says in one plain sentence per problem what a zod schema found wrong with a value.
 * @module
 */
import { z } from "zod";
import type { Path, Problem } from "./problems.ts";
import { misplaced, ourWord, withoutEchoes } from "./key_problems.ts";
import { didYouMean, suggest } from "../../data/did_you_mean.ts";

type Json = Record<string, unknown>;

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
): Read<z.output<Schema>> {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return { data, problems: [] };
  const problems = error.issues.flatMap((issue) => explain(issue as unknown as ZodIssue, { schema, value, base }));
  return { data: undefined, problems: withoutEchoes(problems) };
}

interface Subject {
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly base: Path;
}

function explain(issue: ZodIssue, subject: Subject): Problem[] {
  const local = issue.path as Path;
  const path = [...subject.base, ...local];
  const value = at(subject.value, local);
  const label = labelOf(path);
  const wrong = (message: string): Problem[] => [{ path, message }];
  if (issue.code === "invalid_union") {
    const branch = closestBranch(issue.errors as ZodIssue[][], value);
    if (branch !== null) {
      return branch.flatMap((inner) => explain({ ...inner, path: [...issue.path, ...inner.path] }, subject));
    }
    if (issue.discriminator !== undefined && value !== undefined) {
      const known = knownValues(subject.schema, subject.value, local);
      return wrong(`unknown ${String(issue.discriminator)} ${show(value)}${didYouMean(String(value), known)}`);
    }
    if (value !== undefined) {
      return wrong(`${label} is ${show(value)}, want ${alternatives(issue.errors as ZodIssue[][])}`);
    }
  }
  if (issue.code === "unrecognized_keys") {
    const all = knownKeys(subject.schema, subject.value, local);
    const free = all.filter((name) => !isOwn(value, name));
    const known = free.length > 0 ? free : all;
    return (issue.keys as string[]).map((key) => ({
      path: [...path, key],
      key: true,
      message: `unknown key "${key}"${misplaced(key, path, value, known) ?? didYouMean(ourWord(key, known), known)}`,
    }));
  }
  if (value === undefined && local.length > 0 && issue.code !== "custom") {
    return [{ path, message: `missing key "${String(path.at(-1))}"${inside(path)}` }];
  }
  if (issue.code === "invalid_key") {
    const inner = (issue.issues as ZodIssue[])[0]?.message ?? "want another name";
    return [{ path, key: true, message: `${label} is no name, ${inner}` }];
  }
  const want = wanted(issue);
  if (want === null) {
    const keys = unrecognized(issue.message);
    if (keys.length > 0) {
      return keys.map((key) => ({ path: [...path, key], key: true, message: `unknown key "${key}"` }));
    }
    return [{ path, message: ownWords(issue.message, label, value), ...keyOf(issue.message) }];
  }
  const suggestion = issue.code === "invalid_value" && typeof value === "string"
    ? nearest(value, (issue.values as unknown[]).map(String))
    : "";
  return wrong(`${label} is ${show(value)}, want ${want}${suggestion}`);
}

/** A message the schema wrote itself, completed where it speaks of a value without naming it. */
function ownWords(message: string, label: string, value: unknown): string {
  if (message.startsWith("want ")) return `${label} is ${show(value)}, ${message}`;
  if (!/^(Invalid|Too small|Too big)/.test(message)) return message;
  const want = zodWords(message);
  if (want !== null) return `${label} is ${show(value)}, want ${want}`;
  return `${label} is ${show(value)}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

/** What zod's own sentence wants, when a nested schema's message was passed on as a text. */
function zodWords(message: string): string | null {
  const bound = /^Too (?:small|big): expected .* (?:to be|to have) ([<>]=?)(-?[\d.e+]+)/.exec(message);
  if (bound !== null) {
    const words: Record<string, string> = { "<=": "at most", ">=": "at least", "<": "less than", ">": "more than" };
    return `${words[bound[1]!]} ${bound[2]}`;
  }
  const type = /^Invalid input: expected (\w+)/.exec(message)?.[1];
  if (type !== undefined) return typeName(type);
  const options = /^Invalid option: expected one of (.*)$/.exec(message)?.[1];
  return options === undefined ? null : `one of ${options.replaceAll("|", ", ")}`;
}

/** The keys that a nested schema refused, when its message was passed on as a text. */
function unrecognized(message: string): string[] {
  const list = /^Unrecognized keys?: (.*)$/.exec(message)?.[1] ?? "";
  return [...list.matchAll(/"([^"]+)"/g)].map(([, key]) => key!);
}

function keyOf(message: string): { key?: true } {
  return message.startsWith("unknown key ") ? { key: true } : {};
}

/** What the schema wanted, in words; null when the schema says it itself. */
function wanted(issue: ZodIssue): string | null {
  if (issue.code === "invalid_type") return typeName(String(issue.expected));
  if (issue.code === "invalid_value") {
    const values = (issue.values as unknown[]).map((value) => JSON.stringify(value));
    return values.length === 1 ? values[0]! : `one of ${values.join(", ")}`;
  }
  if (issue.code === "too_small" || issue.code === "too_big") {
    const small = issue.code === "too_small";
    const bound = String(small ? issue.minimum : issue.maximum);
    const unit = issue.origin === "string" ? " character(s)" : issue.origin === "array" ? " item(s)" : "";
    const strict = issue.inclusive === false;
    return small
      ? `${strict ? "more than" : "at least"} ${bound}${unit}`
      : `${strict ? "less than" : "at most"} ${bound}${unit}`;
  }
  if (issue.code === "not_multiple_of") return `a multiple of ${issue.divisor}`;
  if (issue.code === "invalid_union") return null;
  return null;
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

function nearest(word: string, known: readonly string[]): string {
  const name = suggest(word, known);
  return name === null ? "" : `; did you mean "${name}"?`;
}

function at(value: unknown, path: Path): unknown {
  return path.reduce((inner: unknown, part) => isOwn(inner, part) ? (inner as Json)[part] : undefined, value);
}

function isOwn(value: unknown, key: string | number): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key);
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
  const cost = (issues: readonly ZodIssue[]) =>
    issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? (issue.keys as string[]).length : 1), 0);
  const isRepeat = isOwn(value, "repeat") || isOwn(value, "steps");
  const rank = (issues: readonly ZodIssue[]) =>
    cost(issues) +
    (isRepeat &&
        issues.some((issue) => issue.code === "unrecognized_keys" && (issue.keys as string[]).includes("steps"))
      ? 1000
      : 0);
  return meant.toSorted((a, b) => rank(a) - rank(b))[0]!;
}

function alternatives(branches: readonly ZodIssue[][]): string {
  const wants = branches.flat().filter((issue) => issue.path.length === 0).map((issue) =>
    issue.code === "invalid_union"
      ? alternatives(issue.errors as ZodIssue[][])
      : issue.message.startsWith("want ")
      ? issue.message.slice(5)
      : wanted(issue) ?? issue.message.replace(/^want /, "")
  );
  return [...new Set(wants)].join(" or ");
}

/** The keys the schema knows at a path, the value's own shape choosing between alternatives. */
export function knownKeys(schema: z.ZodType, value: unknown, path: Path): string[] {
  const candidates = likely(candidatesAt(schema, value, path), at(value, path));
  return [...new Set(candidates.flatMap((candidate) => Object.keys(candidate.properties ?? {})))];
}

/** The values by which alternatives are told apart, for a key of a discriminated union. */
function knownValues(schema: z.ZodType, value: unknown, path: Path): string[] {
  const key = String(path.at(-1));
  const properties = candidatesAt(schema, value, path.slice(0, -1)).map((candidate) =>
    (candidate.properties as Json)?.[key] as Json
  );
  return properties.flatMap((property) => property?.const ?? property?.enum ?? []).map(String);
}

/** Every branch of the JSON Schema that may describe what stands at a path. */
function candidatesAt(schema: z.ZodType, value: unknown, path: Path): Json[] {
  const root = z.toJSONSchema(schema, { target: "draft-7", io: "input", unrepresentable: "any" }) as Json;
  let candidates = branches(root, root);
  let inner = value;
  for (const part of path) {
    candidates = likely(candidates, inner).flatMap((candidate) => {
      const properties = candidate.properties as Json | undefined;
      const child = typeof part === "number" ? candidate.items : properties?.[part] ?? candidate.additionalProperties;
      return typeof child === "object" && child !== null ? branches(child as Json, root) : [];
    });
    inner = at(inner, [part]);
  }
  return candidates;
}

function branches(schema: Json, root: Json): Json[] {
  if (typeof schema.$ref === "string") {
    const target = schema.$ref === "#" ? root : at(root, schema.$ref.slice(2).split("/"));
    return branches(target as Json, root);
  }
  const inner = [
    ...(schema.anyOf as Json[] ?? []),
    ...(schema.oneOf as Json[] ?? []),
    ...(schema.allOf as Json[] ?? []),
  ];
  return inner.length === 0 ? [schema] : inner.flatMap((branch) => branches(branch, root));
}

function likely(candidates: Json[], value: unknown): Json[] {
  if (candidates.length < 2 || typeof value !== "object" || value === null || Array.isArray(value)) return candidates;
  const score = (candidate: Json) =>
    Object.entries((candidate.properties ?? {}) as Json).reduce((sum, [key, property]) => {
      if (!isOwn(value, key)) return sum;
      const constant = (property as Json).const;
      return sum + (constant === undefined ? 1 : constant === (value as Json)[key] ? 100 : -100);
    }, 0);
  const best = Math.max(...candidates.map(score));
  return candidates.filter((candidate) => score(candidate) === best);
}
