/** Metrics and their numbers in two lists of one length: "reward, KL and entropy are 0.1, 9 and 0.05 respectively". @module */
import { type Mention, mentionsIn } from "./mentions.ts";
import { type ClauseNumber, numbersIn } from "./numbers.ts";

const RESPECTIVELY =
  /(?<!\p{L})(?:respectively|respectivement|respectivamente|beziehungsweise|jeweils|соответственно)(?!\p{L})|分别|分別|それぞれ|각각/iu;

interface Pair {
  readonly mention: Mention;
  readonly number: ClauseNumber;
  readonly printed: string;
}

/** Null for a sentence that has no two such lists. */
export function respectivePairs(sentence: string): readonly Pair[] | null {
  if (!RESPECTIVELY.test(sentence)) return null;
  const mentions = mentionsIn(sentence).filter(({ name }) => name !== null),
    numbers = numbersIn(sentence).filter(({ kind }) => kind === "value");
  if (mentions.length < 2 || mentions.length !== numbers.length || mentions.at(-1)!.end > numbers[0]!.at) return null;
  return mentions.map((mention, i) => (
    { mention, number: numbers[i]!, printed: sentence.slice(mention.at, mention.end) }
  ));
}
