/** The idioms that a clause says, or its sentence where they reach over a comma. @module */
import type { Clause } from "./clauses.ts";
import { aroundOf, hasNone, isDenied, isUnstated } from "./stance/stance_of.ts";
import { IDIOMS } from "./words/idioms.ts";
import { expression, ExpressionList, has, signExpression } from "./words/match.ts";
import type { PredicateName } from "./words/predicates.ts";
import { ELSEWHERE } from "./words/stance.ts";
import type { SubjectName } from "./words/subjects.ts";

interface FoundIdiom {
  readonly subject: SubjectName;
  readonly predicate: PredicateName;
  /** It reaches over the clauses of its sentence. */
  readonly isWhole: boolean;
  /** What stands around it is of another run. */
  readonly elsewhere: boolean;
}

const idioms = IDIOMS.map(({ words, signs, ...idiom }) => ({
  ...idiom,
  spaced: expression(words),
  unspaced: signs === undefined ? null : signExpression(signs),
}));
const elsewhere = expression(...ELSEWHERE);

/** Idioms of clauses, and those of whole sentences: which of them may stand in a text. */
const LISTS = [false, true].map((isWhole) => {
  const listOf = (kind: "spaced" | "unspaced") =>
    new ExpressionList(idioms.map((idiom) => idiom.whole === isWhole ? idiom[kind] : null));
  return { spaced: listOf("spaced"), unspaced: listOf("unspaced") };
});

/** Letters and marks that are in no language with spaces; a text without them is looked through many times as fast. */
const LETTER = /[\u2e80-\u2fff\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff]/g, MARK = /[\u3000-\u303f\uff00-\uffef]/g;
const onlySpaced = (text: string) => text.replace(LETTER, "\u00aa").replace(MARK, "\u00b6");

const placesOf = ({ spaced, unspaced }: (typeof idioms)[number], text: string, plain: string) => [
  ...spaced.in(plain),
  ...unspaced?.in(text) ?? [],
];

/** Each subject and predicate once; those of the sentence are found in its first clause. */
export function idiomsIn({ text, sentence, isFirst, isQuestion }: Clause): FoundIdiom[] {
  const plain = onlySpaced(text), plainSentence = isFirst ? onlySpaced(sentence) : "";
  const [inClause, inSentence] = LISTS, numbers = [...inClause!.spaced.in(plain), ...inClause!.unspaced.in(text)];
  if (isFirst) numbers.push(...inSentence!.spaced.in(plainSentence), ...inSentence!.unspaced.in(sentence));
  return [...new Set(numbers)].sort((a, b) => a - b).flatMap((number): FoundIdiom[] => {
    const idiom = idioms[number]!, { subject, predicate, whole } = idiom;
    const where = whole ? sentence : text;
    for (const { at, end } of placesOf(idiom, where, whole ? plainSentence : plain)) {
      const own = whole ? aroundOf(where, at, end) : text;
      if (isDenied(where, at, end) || whole && isUnstated(own, sentence, isQuestion) || hasNone(own, predicate)) {
        continue;
      }
      return [{ subject, predicate, isWhole: whole === true, elsewhere: has(elsewhere, own) }];
    }
    return [];
  });
}
