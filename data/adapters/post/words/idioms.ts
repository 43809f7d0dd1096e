/**
 * Phrases that say at once what is spoken of and what of it: "nothing is learned from the answer, all labels are -100".
 *
 * A clause needs no other subject beside them. They stand in idioms.json. @module
 */
import IDIOM_WORDS from "./idioms.json" with { type: "json" };
import { type Words, wordsOf } from "./match.ts";
import type { PredicateName } from "./predicates.ts";
import type { SubjectName } from "./subjects.ts";

interface Idiom extends Words {
  readonly subject: SubjectName;
  readonly predicate: PredicateName;
}

export const IDIOMS: readonly Idiom[] = IDIOM_WORDS.map(({ subject, predicate, ...words }) => ({
  subject: subject as SubjectName,
  predicate: predicate as PredicateName,
  ...wordsOf(words),
}));
