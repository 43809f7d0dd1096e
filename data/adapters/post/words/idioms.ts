/**
 * Phrases that say at once what is spoken of and what of it: "nothing is learned from the answer, all labels are -100".
 *
 * A clause needs no other subject beside them. They stand in idioms.json, those of texts, weights and the machine in
 * run_idioms.json, those of metrics in metric_idioms.json, whose `parts` stand for their names in braces. @module
 */
import IDIOM_WORDS from "./idioms.json" with { type: "json" };
import { type Words, wordsOf } from "./match.ts";
import METRIC_IDIOMS from "./metric_idioms.json" with { type: "json" };
import type { PredicateName } from "./predicates.ts";
import RUN_IDIOMS from "./run_idioms.json" with { type: "json" };
import type { SubjectName } from "./subjects.ts";

interface WrittenIdiom {
  readonly subject: string;
  readonly predicate: string;
  readonly whole?: boolean;
  readonly words: readonly string[];
  readonly signs: readonly string[];
}

interface Idiom extends Words {
  readonly subject: SubjectName;
  readonly predicate: PredicateName;
  /** It may reach over a comma: it is looked for in the sentence. */
  readonly whole: boolean;
}

interface WrittenIdioms {
  readonly parts: Readonly<Record<string, readonly string[]>>;
  readonly idioms: readonly WrittenIdiom[];
}

/** A part in braces is one of its alternatives. */
const written = (text: string, parts: WrittenIdioms["parts"]) =>
  text.replace(/\{(\p{L}+)\}/gu, (braces, name) => parts[name] === undefined ? braces : `(?:${parts[name].join("|")})`);

/** What stands between the words of an idiom denies none of them: "the job was not killed" is no killed job. */
const DENIES =
  "(?<![\\p{L}])(?:not|never|no|none|without|hardly|nicht|kein\\p{L}*|pas|jamais|sin|nunca|n[aã]o|sem|не|без)(?![\\p{L}])|n't(?![\\p{L}])|没|未|并非|不(?!知道|管|论|断|同|停|仅|但|过|到|少)|無(?=し|く)|안 |없";
const GAP = /(\[\^[^\]]*\])(\{0,\d+\}\??)|\(\?: \\w\+\)(\?|\{0,\d+\})/g;
const withoutDenial = (text: string) =>
  text.replace(
    GAP,
    (_, any, times, words) =>
      any === undefined ? `(?:(?! (?:${DENIES})) \\w+)${words}` : `(?:(?!${DENIES})${any})${times}`,
  );

const phrases = ({ parts, idioms }: WrittenIdioms): readonly WrittenIdiom[] => {
  const phrase = (text: string) => withoutDenial(written(text, parts));
  return idioms.map(({ words, signs, ...idiom }) => ({ ...idiom, words: words.map(phrase), signs: signs.map(phrase) }));
};

export const IDIOMS: readonly Idiom[] = [
  ...IDIOM_WORDS as readonly WrittenIdiom[],
  ...phrases(RUN_IDIOMS),
  ...phrases(METRIC_IDIOMS),
].map(({ subject, predicate, whole = false, ...words }) => ({
  subject: subject as SubjectName,
  predicate: predicate as PredicateName,
  whole,
  ...wordsOf(words),
}));
