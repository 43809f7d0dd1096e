/** Reads `if` and `until` as far as they are known before the run, and checks their types. @module */
import { type Condition, type LookUp, parseCondition } from "../language/expression_syntax.ts";
import { evaluateCondition, expressionTexts, find, type Found, lookUpOf, type Scope } from "../language/expressions.ts";
import type { Path, Problem } from "../language/problems.ts";
import { type Entry, isRepeat, type WorkflowDocument } from "../language/schema.ts";
import { typeName } from "../language/zod_problems.ts";
import { outputsOf } from "./outputs.ts";
import type { Known } from "./sites.ts";

/** A condition's text, or its value where the scope knows what it looks up. */
export function decide(text: string | boolean, scope: Scope): string | boolean {
  const condition = parseCondition(text);
  const lookUp = lookUpOf(condition);
  if (lookUp === null || find(lookUp, scope) === undefined) return text;
  return evaluateCondition(condition, { ...scope, failed: false });
}

/** A text of a document that may hold an expression, with its place. */
interface PlacedText<Text> {
  readonly path: Path;
  readonly text: Text;
}

/** Every condition of a document. */
export function conditionsOf(steps: readonly Entry[], path: Path = ["steps"]): PlacedText<string | boolean>[] {
  return steps.flatMap((entry, index) => {
    const here = [...path, index];
    if (!isRepeat(entry)) return entry.if === undefined ? [] : [{ path: [...here, "if"], text: entry.if }];
    const own = entry.until === undefined ? [] : [{ path: [...here, "until"], text: entry.until }];
    return [...own, ...conditionsOf(entry.steps, [...here, "steps"])];
  });
}

/** Every text with an expression that is no condition; `params` and `strategy` hold values. */
export function valueTexts({ params: _, strategy: __, ...rest }: WorkflowDocument): PlacedText<string>[] {
  return expressionTexts(rest).filter(({ path }) => !isConditionPath(path));
}

/** Whether a condition stands at this place of a document. */
export function isConditionPath(path: Path): boolean {
  return !path.includes("with") && (path.at(-1) === "if" || path.at(-1) === "until");
}

/** Comparisons of a number with a text, look-ups that are not true or false, `until: always()`. */
export function conditionProblems(document: WorkflowDocument, known: Known): Problem[] {
  return conditionsOf(document.steps).flatMap(({ path, text }): Problem[] => {
    const condition = parseCondition(text);
    if (condition.kind === "constant") return [];
    if ("lookUp" in condition) {
      const message = typeProblem(condition, known);
      return message === null ? [] : [{ path, offset: condition.lookUp.offset, message }];
    }
    const message = `"until" cannot use ${condition.kind}(), want a comparison`;
    return path.at(-1) === "if" ? [] : [{ path, message }];
  });
}

function typeProblem(condition: Extract<Condition, { lookUp: LookUp }>, known: Known): string | null {
  const { lookUp } = condition;
  const types = typesOf(lookUp, known);
  if (types === null) return null;
  const words = [...types].map(typeName).join(" or ");
  if (condition.kind === "look_up") {
    return types.has("boolean") ? null : `"${lookUp.text}" is ${words}, want true or false; compare it with a literal`;
  }
  const { literal } = condition;
  if (literal === null || types.has(typeof literal)) return null;
  return `compares "${lookUp.text}", ${words}, with ${JSON.stringify(literal)}, ${typeName(typeof literal)}`;
}

/** The types that a look-up may find; null: any. */
function typesOf({ root, id, name }: LookUp, known: Known): ReadonlySet<string> | null {
  if (root === "run") return new Set([name === "id" ? "string" : "number"]);
  if (root === "steps") {
    const site = known.sites.find((site) => site.id === id)!;
    return outputsOf(known.kinds[site.entry.uses]!).types.get(name) ?? null;
  }
  const value: Found | undefined = known[root][name];
  return value === undefined ? null : new Set([Array.isArray(value) ? "array" : typeof value]);
}
