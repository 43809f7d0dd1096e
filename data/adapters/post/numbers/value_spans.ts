/**
 * For which train steps each of several numbers of a clause is told: "entropy fell to 0.006 by step 180 and the reward to
 * 0.19 at step 300" names two times. @module
 */
import type { Clause } from "../clauses.ts";
import { numbersIn } from "./numbers.ts";
import type { Span, ToldValue } from "../said.ts";
import { spanOf } from "../span.ts";

type Valued = Omit<ToldValue, keyof Span | "line" | "text"> & { readonly at: number };

/** The values with their own train steps, where they name them behind their numbers; else those of the clause. */
export function withSpans(clause: Clause, values: readonly Valued[], whole: Span): (Omit<Valued, "at"> & Span)[] {
  const starts = [...new Set(values.map(({ at }) => at))].sort((a, b) => a - b);
  return values.map(({ at, ...value }) => {
    const next = starts.find((start) => start > at), part = clause.text.slice(at, next);
    const isOwn = starts.length > 1 && numbersIn(part).some(({ kind }) => kind === "step" || kind === "steps");
    const span = isOwn ? spanOf({ ...clause, text: part }, numbersIn(part)) : whole;
    // A metric that is 0 or NaN after 15 steps is broken from there on.
    const isThen = span.reached === true && value.relation === "is" && value.values[0] !== 0 &&
      !Number.isNaN(value.values[0]);
    return { ...value, ...isThen ? { ...span, to: span.from, throughout: false } : inOrder(value.relation, span) };
  });
}

/** A course that names one train step has come to its end there: "fell from 0.42 to 0.006 by step 180". */
function inOrder(relation: ToldValue["relation"], span: Span): Span {
  const { from, to, throughout } = span;
  if (relation === "course" && from !== null && to === null && !throughout) return { ...span, from: null, to: from };
  return from !== null && to !== null && from > to ? { ...span, from: to, to: from } : span;
}

/** When something is told of, without the rest of it. */
export function timeOf({ from, to, throughout, atEnd }: Span): Span {
  return { from, to, throughout, ...atEnd === undefined ? {} : { atEnd } };
}
