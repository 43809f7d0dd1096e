/** Metrics and their numbers in two lists of one length: "reward, KL and entropy are 0.1, 9 and 0.05 (respectively)". @module */
import { type Mention, mentionsIn } from "../mentions.ts";
import { type ClauseNumber, numbersIn } from "./numbers.ts";

const RESPECTIVELY =
  /(?<!\p{L})(?:respectively|respectivement|respectivamente|beziehungsweise|jeweils|соответственно)(?!\p{L})|分别|分別|それぞれ|각각/iu;

const AND = "and|or|und|et|y|e|и|和|与|及|以及|跟|と|や|과|와|및";
/** Between two of a list, of names and of numbers. */
const NAMES = new RegExp(`^\\s*(?:[,、/&+，]?\\s*(?:${AND})?)\\s*(?:the |die |der |das |la |le |l'|el |o |a )?$`, "iu"),
  NUMBERS = new RegExp(`^\\s*(?:[,、/;，]?\\s*(?:${AND})?)\\s*[~≈]?\\s*$`, "iu");
/** Between the lists. */
const ARE =
  /^\s*\)?\s*(?:[:=：]|are|were|(?:stand|sit|stay)s? at|sind|waren|(?:liegen|lagen) bei|betragen|sont(?: de)?|étaient de|valent|son(?: de)?|eran(?: de)?|são(?: de)?|eram(?: de)?|valem|равны|были|составляют|为|是|は|が|[은는이가])\s*(?:about |around |now |at |etwa |约|大约)?[~≈(]?\s*$/iu;

interface Pair {
  readonly mention: Mention;
  readonly number: ClauseNumber;
  readonly printed: string;
}

/** Null for a text that has no two such lists. */
export function respectivePairs(text: string): readonly Pair[] | null {
  const mentions = mentionsIn(text).filter(({ name }) => name !== null),
    numbers = numbersIn(text).filter(({ kind }) => kind === "value");
  const pair = (mention: Mention, number: ClauseNumber): Pair => (
    { mention, number, printed: text.slice(mention.at, mention.end) }
  );
  const [only] = mentions, [first, second] = numbers;
  if (mentions.length === 1 && numbers.length === 2 && only!.end <= first!.at) {
    const between = text.slice(only!.end, first!.at);
    // Of a mean and its deviation the mean is the metric's.
    if (DEVIATION.test(between)) return [pair(only!, first!)];
    const own = /^eval_(.+)/.exec(only!.name!)?.[1];
    if (own === undefined || !OF_TRAINING.test(text.slice(0, only!.at)) || !ARE.test(between)) return null;
    return [pair({ ...only!, name: own }, first!), pair(only!, second!)];
  }
  if (mentions.length < 2 || mentions.length !== numbers.length || mentions.at(-1)!.end > first!.at) return null;
  if (!RESPECTIVELY.test(text) && !areLists(text, mentions, numbers)) return null;
  return mentions.map((mention, i) => pair(mention, numbers[i]!));
}

/** "train and eval accuracy are …": the first of two is that of training. */
const OF_TRAINING = /(?:train(?:ing)?|训练|訓練|학습|entraînement|Trainings?-?)\s*(?:and|und|et|\/|&|和|与|と)\s*$/iu;
/** "mean and std are …". */
const DEVIATION =
  /^\s*(?:mean|average|均值)?\s*(?:and|und|et|\/|&|和|与)\s*(?:its |the )?(?:std|stdev|standard deviation|标准差|Standardabweichung|écart-type)\s*(?:are|were|is|[:=：]|sind|sont|为|是|分别为|分别是)/iu;

/** Two lists with nothing but "are" between them. */
function areLists(text: string, mentions: readonly Mention[], numbers: readonly ClauseNumber[]): boolean {
  const between = (one: { readonly end: number }, next: { readonly at: number }) => text.slice(one.end, next.at);
  return mentions.slice(1).every((one, i) => NAMES.test(between(mentions[i]!, one))) &&
    numbers.slice(1).every((one, i) => NUMBERS.test(between(numbers[i]!, one))) &&
    ARE.test(between(mentions.at(-1)!, numbers[0]!));
}
