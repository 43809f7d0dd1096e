/** Questions between alternatives state none of them: "is it the parser, or are the answers cut off?" @module */
import type { Clause } from "./clauses.ts";

/** From where a sentence asks which of several it is. */
const ASKED =
  /(?<![\p{L}])(?:is|was|are|were|am|does|did|do|has|have|could) (?:it|this|that|the|my|there|I|we|they)\b.*\bor\b|(?:^|[，,：:；;])\s*(?:到底|究竟|难道)?是[^，,]*(?:[，,、][^，,]*)*还是|(?<![\p{L}])(?:est-ce|c'est|ist (?:es|das)|liegt es|[eé]s|será|это|дело)(?![\p{L}]).*(?<![\p{L}])(?:ou|oder|o|или)(?![\p{L}])|.*それとも|.*아니면/iu;

/** True of a clause that only asks whether it is so. */
export function isAlternative({ text, sentence, isQuestion }: Clause): boolean {
  const asked = isQuestion ? ASKED.exec(sentence) : null;
  return asked !== null && sentence.indexOf(text.trim()) >= asked.index;
}
