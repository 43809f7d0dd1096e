/**
 * Makes the document of one run: overrides filled in, look-ups of the matrix answered, look-ups of `params` as written.
 * @module
 */
import { type Scope, substitute } from "../language/expressions.ts";
import { type Entry, isRepeat, type WorkflowDocument } from "../language/schema.ts";
import { decide } from "./conditions.ts";
import type { Combination } from "./matrix.ts";
import type { RunSettings } from "./plan.ts";

/** The document of one run; a condition on the matrix becomes true or false, for the run's own file has no matrix. */
export function ownDocument(
  document: WorkflowDocument,
  params: WorkflowDocument["params"],
  matrix: Combination,
  settings: Partial<RunSettings> = {},
): WorkflowDocument {
  const chosen = Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined && value !== null),
  );
  const { strategy: _, ...rest } = document;
  return { ...answer(rest, { matrix }), params, ...chosen };
}

/** Answers the look-ups that the scope knows; conditions on them become true or false, other ones keep their text. */
export function answer({ params, steps, ...rest }: WorkflowDocument, scope: Scope): WorkflowDocument {
  const settings = substitute(rest, scope) as typeof rest;
  return { ...settings, params, steps: steps.map((entry) => answerEntry(entry, scope)) };
}

function answerEntry(entry: Entry, scope: Scope): Entry {
  const decided = (key: "if" | "until", text: string | boolean | undefined) =>
    text === undefined ? {} : { [key]: decide(text, scope) };
  if (isRepeat(entry)) {
    const { until, steps, ...values } = entry;
    const block = substitute(values, scope) as typeof values;
    return { ...block, ...decided("until", until), steps: steps.map((inner) => answerEntry(inner, scope)) };
  }
  const { if: condition, ...values } = entry;
  return { ...substitute(values, scope) as typeof values, ...decided("if", condition) };
}
