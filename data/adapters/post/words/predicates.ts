/**
 * What people say of it, in their languages: each predicate once. Its words stand in predicates.json, those that stand alone
 * (`words`) and those of scripts without spaces, which match anywhere (`signs`); each is a regular expression. @module
 */
import PREDICATE_WORDS from "./predicates.json" with { type: "json" };
import { readWords, type Words } from "./match.ts";

export type PredicateName = keyof typeof PREDICATE_WORDS;

interface Traits {
  /** It may stand right before what it is said of, as an adjective does ("zero gradient"). */
  readonly before?: true;
  /** A denial is part of its words: "does not rise" says that it is constant. */
  readonly denies?: true;
}

const TRAITS: Partial<Readonly<Record<PredicateName, Traits>>> = {
  not_finite: { before: true },
  zero: { before: true },
  constant: { denies: true },
  explodes: { before: true },
  collapses: { before: true },
  negative: { before: true },
  frozen: { before: true },
  garbled: { before: true },
  empty: { before: true },
  repeats: { before: true },
  high: { before: true },
  low: { before: true },
};

export type Predicate = Words & Traits;

/** In the order in which they are looked for. */
export const PREDICATES: Readonly<Record<PredicateName, Predicate>> = readWords(PREDICATE_WORDS, TRAITS);
