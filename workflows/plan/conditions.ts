/**
 * Reads `if` and `until` as far as they are known before the run, and checks their types.
 * @module
 */
import { z } from "zod";
import type { Step } from "../../steps/step.ts";
import type { Path, Problem } from "../language/problems.ts";
import { parseCondition } from "../language/expression_syntax.ts";
import { type Condition, evaluateCondition, find, type Found, lookUpOf, type Scope } from "../language/expressions.ts";
import type { Known } from "./references.ts";
import { type Entry, isRepeat, type WorkflowDocument } from "../language/schema.ts";
import { typeName } from "../language/zod_problems.ts";

/** A condition with what is known already answered, and as text for the run's own document. */
export function readCondition(
  text: string | boolean,
  scope: Scope,
): { readonly condition: Condition; readonly text: string | boolean } {
  const condition = parseCondition(text);
  const lookUp = lookUpOf(condition);
  if (lookUp === null || find(lookUp, scope) === undefined) return { condition, text };
  const value = evaluateCondition(condition, { ...scope, failed: false });
  return { condition: { kind: "constant", value }, text: value };
}

/** Every condition of a document with its place. */
export function conditionsOf(
  steps: readonly Entry[],
  path: Path = ["steps"],
): { path: Path; text: string | boolean }[] {
  return steps.flatMap((entry, index) => {
    const here = [...path, index];
    if (!isRepeat(entry)) return entry.if === undefined ? [] : [{ path: [...here, "if"], text: entry.if }];
    const own = entry.until === undefined ? [] : [{ path: [...here, "until"], text: entry.until }];
    return [...own, ...conditionsOf(entry.steps, [...here, "steps"])];
  });
}

/** Comparisons of a number with a text, look-ups that are not true or false, `until: always()`. */
export function conditionProblems(document: WorkflowDocument, known: Known): Problem[] {
  return conditionsOf(document.steps).flatMap(({ path, text }): Problem[] => {
    const condition = parseCondition(text);
    if (condition.kind === "always" || condition.kind === "failure") {
      return path.at(-1) === "if"
        ? []
        : [{ path, message: `"until" cannot use ${condition.kind}(), want a comparison` }];
    }
    if (condition.kind === "constant") return [];
    const { lookUp } = condition;
    const types = typesOf(lookUp, known);
    if (types === null) return [];
    if (condition.kind === "look_up") {
      if (types.has("boolean")) return [];
      const message = `"${lookUp.text}" is ${words(types)}, want true or false; compare it with a literal`;
      return [{ path, offset: lookUp.offset, message }];
    }
    const literal = condition.literal === null ? "null" : typeof condition.literal;
    if (literal === "null" || types.has(literal)) return [];
    const message = `compares "${lookUp.text}", ${words(types)}, with ${JSON.stringify(condition.literal)}, ${
      typeName(literal)
    }`;
    return [{ path, offset: lookUp.offset, message }];
  });
}

function words(types: ReadonlySet<string>): string {
  return [...types].map(typeName).join(" or ");
}

function typesOf(lookUp: { root: string; id: string; name: string }, known: Known): ReadonlySet<string> | null {
  if (lookUp.root === "run") return new Set([lookUp.name === "id" ? "string" : "number"]);
  if (lookUp.root === "steps") {
    const site = known.sites.find(({ id }) => id === lookUp.id)!;
    return outputsOf(known.kinds[site.entry.uses]!).types.get(lookUp.name) ?? null;
  }
  const values = lookUp.root === "params" ? known.params : known.matrix;
  const value: Found | undefined = values[lookUp.name];
  return value === undefined ? null : new Set([Array.isArray(value) ? "array" : typeof value]);
}

/** The outputs a step kind declares; `open` when it may give others too. */
export function outputsOf(
  kind: Step,
): { readonly types: Map<string, ReadonlySet<string> | null>; readonly open: boolean } {
  const schema = z.toJSONSchema(kind.outputs, { unrepresentable: "any", io: "output" }) as Json;
  const types = new Map(
    Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const found = jsonTypes(property);
      return [name, found.size === 0 ? null : found] as const;
    }),
  );
  return {
    types,
    open: schema.additionalProperties !== false && schema.additionalProperties !== undefined ||
      schema.type !== "object",
  };
}

interface Json {
  readonly type?: string | readonly string[];
  readonly properties?: Record<string, Json>;
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly Json[];
}

function jsonTypes(schema: Json): Set<string> {
  const own = schema.type === undefined ? [] : [schema.type].flat();
  const all = schema.anyOf === undefined ? own : schema.anyOf.flatMap((branch) => [...jsonTypes(branch)]);
  return new Set(all.filter((type) => type !== "null").map((type) => type === "integer" ? "number" : type));
}
