/**
 * Answers expressions: `${{ }}` look-ups in values, one comparison, `always()` or `failure()` in `if` and `until`.
 *
 * There is no language here: no arithmetic, no and/or, no calls. A whole value that is one expression keeps the type of
 * what it finds; an expression inside a text becomes text.
 * @module
 */
import { type Condition, ExpressionError, type LookUp, type Operator, parseTemplate } from "./expression_syntax.ts";

/** What an expression may find. Lists come from `params` only. */
export type Found = number | string | boolean | null | readonly (number | string | boolean)[];

/** What look-ups see. A root that is absent is not known yet. */
export interface Scope {
  readonly params?: Readonly<Record<string, Found>>;
  readonly matrix?: Readonly<Record<string, Found>>;
  /** Outputs of the steps that have run, by id. */
  readonly steps?: Readonly<Record<string, Readonly<Record<string, Found>>>>;
  readonly run?: Readonly<Record<RunName, Found>>;
}

/** Names that `run.NAME` finds, with their meaning. */
export const RUN_NAMES = {
  id: "id of the run",
  seed: "seed of the run",
  train_step: "the current train step, 0 before the first",
} as const;

type RunName = keyof typeof RUN_NAMES;

/** What a look-up finds; undefined when its root is not in scope or its step has not run. */
export function find(lookUp: LookUp, scope: Scope): Found | undefined {
  const rows: Readonly<Record<string, Found>> | undefined = lookUp.root === "steps"
    ? own(scope.steps, lookUp.id)
    : scope[lookUp.root];
  return own(rows, lookUp.name);
}

function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Every look-up inside a value, with the path of the text it stands in. Throws ExpressionError. */
export function lookUpsOf(text: string): LookUp[] {
  return parseTemplate(text).filter((part) => typeof part !== "string");
}

/** The texts inside a value that hold an expression, with their paths. */
export function expressionTexts(
  value: unknown,
  path: readonly (string | number)[] = [],
): { path: (string | number)[]; text: string }[] {
  if (typeof value === "string") return value.includes("${{") ? [{ path: [...path], text: value }] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => expressionTexts(item, [...path, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => expressionTexts(item, [...path, key]));
}

/**
 * The value with every look-up replaced that the scope can answer; the others stay as they were written.
 * Throws ExpressionError when a list would have to become text.
 */
export function substitute(value: unknown, scope: Scope): unknown {
  if (typeof value === "string") return value.includes("${{") ? substituteText(value, scope) : value;
  if (Array.isArray(value)) return value.map((item) => substitute(item, scope));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, substitute(item, scope)]));
}

function substituteText(text: string, scope: Scope): unknown {
  const trimmed = parseTemplate(text.trim());
  if (trimmed.length === 1 && typeof trimmed[0] === "object") {
    const found = find(trimmed[0], scope);
    return found === undefined ? text : found;
  }
  return parseTemplate(text).map((part) => {
    if (typeof part === "string") return part;
    const found = find(part, scope);
    if (Array.isArray(found)) {
      throw new ExpressionError(`"${part.text}" is a list, which cannot stand inside a text`, part.offset);
    }
    return found === undefined ? `\${{ ${part.text} }}` : String(found);
  }).join("");
}

/** The look-up of a condition, or null. */
export function lookUpOf(condition: Condition): LookUp | null {
  return "lookUp" in condition ? condition.lookUp : null;
}

/**
 * Whether a step runs (`if`) or a block ends (`until`).
 *
 * After a failure only `always()` and `failure()` hold; before one, `failure()` does not. A look-up of a step that has
 * not run is false in every comparison, also `!=`.
 */
export function evaluateCondition(condition: Condition | null, scope: Scope & { readonly failed: boolean }): boolean {
  if (condition?.kind === "always") return true;
  if (condition?.kind === "failure") return scope.failed;
  if (scope.failed) return false;
  if (condition === null) return true;
  if (condition.kind === "constant") return condition.value;
  const found = find(condition.lookUp, scope);
  if (condition.kind === "look_up") return found === true;
  return found !== undefined && compare(found, condition.operator, condition.literal);
}

function compare(found: Found, operator: Operator, literal: number | string | boolean | null): boolean {
  if (operator === "==") return found === literal;
  if (operator === "!=") return found !== literal;
  if (typeof found !== "number" || typeof literal !== "number") return false;
  return { "<": found < literal, "<=": found <= literal, ">": found > literal, ">=": found >= literal }[operator];
}
