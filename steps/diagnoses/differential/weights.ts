/**
 * What one piece of evidence weighs, in nats of log-odds: the whole of what was fitted.
 *
 * `deno task bench weights DIR...` fits them again on labelled runs, and prints how often a stated probability holds.
 * @module
 */
import type { Severity } from "../../../data/severity.ts";

/** A finding by its severity: how often such a finding is the cause. A note is none. */
export const SEVERITY_WEIGHT: Record<Severity, number> = { fatal: 4.5, error: 4, warning: 3, info: 0 };

/** What else speaks for or against a cause. */
export const WEIGHTS = {
  /** It began before every other finding. */
  first: 0.8,
  /** Each of at most two other findings that follow from it. */
  explains: 0.4,
  /** It follows from another finding. */
  follows: -3,
  /** Findings that stand before it in the order of decisions, each of at most two. */
  later: -1,
  /** The rule names a doubt: a column or a look that would confirm it is missing. */
  doubt: -0.7,
  /** Looks like it, but a column that decides is missing. */
  open: 2,
} as const;

/** That it is none of what the rules know: the weight of no evidence. */
export const NOTHING_KNOWN = 1;
