/**
 * Makes the document of one run: overrides filled in, look-ups of the matrix answered, look-ups of `params` as written.
 * @module
 */
import { readCondition } from "./conditions.ts";
import { type Scope, substitute } from "../language/expressions.ts";
import type { Combination } from "./matrix.ts";
import type { RunSettings } from "./plan.ts";
import { type Entry, isRepeat, type StepEntry, type WorkflowDocument } from "../language/schema.ts";

/** The document of one run: overrides and matrix filled in, look-ups of `params` as written. */
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
  const steps = decideByMatrix(document.steps, matrix);
  return { ...answer({ ...rest, steps }, { matrix }), params, ...chosen };
}

/** Answers look-ups everywhere but in conditions, which keep their text. */
export function answer(document: WorkflowDocument, scope: Scope): WorkflowDocument {
  const { params, steps, ...rest } = document;
  const entry = (from: Entry): Entry => {
    if (isRepeat(from)) {
      const { until, steps: inner, ...other } = from;
      const block = substitute(other, scope) as Omit<typeof from, "steps">;
      return { ...block, ...(until === undefined ? {} : { until }), steps: inner.map(entry) };
    }
    const { if: condition, ...other } = from;
    return { ...substitute(other, scope) as StepEntry, ...(condition === undefined ? {} : { if: condition }) };
  };
  return { ...substitute(rest, scope) as WorkflowDocument, params, steps: steps.map(entry) };
}

/** Conditions on the matrix become true or false: the run's own document has no matrix. */
function decideByMatrix(steps: readonly Entry[], matrix: Combination): Entry[] {
  const decide = (text: string | boolean) => readCondition(text, { matrix }).text;
  return steps.map((entry) =>
    isRepeat(entry)
      ? {
        ...entry,
        ...(entry.until === undefined ? {} : { until: decide(entry.until) }),
        steps: decideByMatrix(entry.steps, matrix),
      }
      : { ...entry, ...(entry.if === undefined ? {} : { if: decide(entry.if) }) }
  );
}
