/** The idioms that a clause says, or its sentence where they reach over a comma. @module */
import type { Clause } from "./clauses.ts";
import { aroundOf, hasNone, isDenied, isUnstated } from "./stance_of.ts";
import { IDIOMS } from "./words/idioms.ts";
import { expression } from "./words/match.ts";
import type { PredicateName } from "./words/predicates.ts";
import { ELSEWHERE } from "./words/stance.ts";
import type { SubjectName } from "./words/subjects.ts";

export interface FoundIdiom {
  readonly subject: SubjectName;
  readonly predicate: PredicateName;
  /** What stands around it is of another run. */
  readonly elsewhere: boolean;
}

const idioms = IDIOMS.map(({ words, signs, ...idiom }) => ({ ...idiom, pattern: expression(words, signs) }));
const elsewhere = expression(...ELSEWHERE);

/** Each subject and predicate once; those of the sentence are found in its first clause. */
export function idiomsIn({ text, sentence, isFirst, isQuestion }: Clause): FoundIdiom[] {
  return idioms.flatMap(({ subject, predicate, whole, pattern }): FoundIdiom[] => {
    if (whole && !isFirst) return [];
    const where = whole ? sentence : text;
    for (const { index: at, 0: words } of where.matchAll(pattern)) {
      const end = at + words.length, own = whole ? aroundOf(where, at, end) : text;
      if (isDenied(where, at, end) || whole && isUnstated(own, sentence, isQuestion) || hasNone(own, predicate)) {
        continue;
      }
      return [{ subject, predicate, elsewhere: own.search(elsewhere) >= 0 }];
    }
    return [];
  });
}
