/** The numbers of metrics in a clause: one value, two that a metric goes between, or several in a row. @module */
import type { Mention } from "../mentions.ts";
import { coordinated, WITHIN } from "../mention_groups.ts";
import { type ClauseNumber, writtenNumber } from "./numbers.ts";
import type { Span, ToldValue } from "../said.ts";

const GAP = 48; // Characters between a subject and its number.

const TWO =
  /^\s*(?:to|and|->|→|=>|~|-|–|—|up to|down to|(?:下降|上升|提升|增长|降低|提高|降|升|涨|跌|掉)?[到至]|から|からは|에서|à|bis|auf|zu|und|et|a|até|para|hasta|hacia|до|на|и)\s*(?:about |around |约|大约)?[~≈<>≤≥]?\s*$/iu;
const COURSE =
  /^\s*(?:to|->|→|=>|up to|down to|(?:下降|上升|提升|增长|降低|提高|降|升|涨|跌|掉)?[到至]|から|에서|à|bis|auf|zu|a|até|para|hasta|hacia|до|на)/iu;

const SERIES = 3; // Numbers in a row that are a course.
/** What stands between the numbers of one. */
const NEXT =
  /^\s*(?:\([^)]*\)|（[^）]*）)?\s*(?:->|→|=>|,|、|，|\/|\||;|[;,]?\s*(?:and )?(?:then|later|now)|[;,]?\s*(?:puis|dann|luego|después|depois|потом|затем)|然后|再到?|接着|\s(?=[\s\d]|$))\s*(?:then|at|now)?\s*$/iu;

/** The numbers that stand in one row behind each other. */
function seriesOf(text: string, numbers: readonly ClauseNumber[]): number[] {
  const end = numbers.findIndex((one, i) => i > 0 && !NEXT.test(text.slice(numbers[i - 1]!.end, one.at)));
  return numbers.slice(0, end < 0 ? undefined : end).map(({ value }) => value);
}

/** The unit of a length. */
const TOKENS = /^\s?(?:tokens?|toks?|词元|トークン|토큰|токен\p{L}*|jetons)(?!\p{Script=Latin})/iu;

const RATE = /^\s?(?:rate|share|fraction|ratio|率|比例|比率)(?!\p{L})/iu;

/** What a mention is told to be, and where in its clause the mention stands. */
interface Valued extends Omit<ToldValue, keyof Span | "line" | "text"> {
  readonly at: number;
}

/** Values that stand behind a mention, or right before it ("0 reward"). */
export function valuesOf(text: string, mentions: readonly Mention[], numbers: readonly ClauseNumber[]): Valued[] {
  const hasLength = mentions.some(({ name }) => name === "completion_length");
  const values = numbers.filter(({ kind, end }) => kind === "value" || hasLength && TOKENS.test(text.slice(end))),
    found: Valued[] = [],
    taken = new Set<number>(),
    used = new Set<ClauseNumber>();
  mentions.forEach((mention, i) => {
    // A "zero reward rate" is a share of completions.
    if (mention.name === "reward" && RATE.test(text.slice(mention.end))) return;
    // "The loss of the model goes from 1.4 to 6.8": whose it is takes no numbers.
    const isWhose = ({ name }: Mention, k: number) =>
      name === null && WITHIN.test(text.slice(mentions[k - 1]!.end, mentions[k]!.at));
    const end = mentions.find((next, k) => k > i && !isWhose(next, k))?.at ?? text.length;
    const own = values.filter((one) =>
      one.at >= mention.end && one.at < end && !OF_NEXT.test(text.slice(one.end, end))
    );
    const before = values.find((one) =>
      one.end <= mention.at && (
        (one.value === 0 || one.decimals > 0) && /^\s*(?:的|の)?\s*$/u.test(text.slice(one.end, mention.at)) ||
        OF_NEXT.test(text.slice(one.end, mention.at))
      )
    );
    // "0.1 reward and 0.3 accuracy": the number behind a metric is the next one's.
    const isNexts = before !== undefined && !used.has(before) && own[0] !== undefined && end < text.length &&
      /^\s*$/.test(text.slice(own[0].end, end));
    const first = own[0] !== undefined && own[0].at - mention.end <= GAP && !isNexts ? own[0] : before;
    // "kl 11.6 entropy": a number that one metric has is not the next one's as well.
    if (first !== undefined && first === before && used.has(first)) return;
    if (first !== undefined) used.add(first);
    if (
      first === undefined || first !== before && NOT_SO.test(text.slice(mention.end, first.at)) ||
      /^\s?(?:では|じゃ)(?:な|あり)/.test(text.slice(first.end))
    ) return;
    const dashed = /^\s*[-–~～]\s*(\d[\d.,]*\d|\d)(?![\d%])/.exec(text.slice(first.end));
    const second = dashed === null ? own[1] : { value: writtenNumber(dashed[1]!).value, at: first.end + 1 };
    const between = second === undefined ? "" : dashed === null ? text.slice(first.end, second.at) : "-";
    const series = seriesOf(text, own);
    const isPair = second !== undefined && first === own[0] && TWO.test(between);
    const isCourse = isPair && COURSE.test(between) &&
      !/(?:between|ranges?|around|在)\s*$/iu.test(text.slice(mention.end, first.at));
    // Of a list that shares a value each gets it: "loss and grad_norm are 0".
    for (const one of first === before ? [mention] : coordinated(text, mentions, i)) {
      // A rate in a sentence is an option; only that it is 0 is seen in a log.
      if (
        one.name === null || one.subject === "learning_rate" && first.value !== 0 || taken.has(one.at)
      ) continue;
      taken.add(one.at);
      found.push({
        at: one.at,
        printed: text.slice(one.at, one.end),
        name: one.name,
        ...(series.length >= SERIES && first === own[0]
          ? { values: series, relation: "series" as const }
          : isPair
          ? { values: alike(text, first, second), relation: isCourse ? "course" as const : "between" as const }
          : { values: [first.value], relation: "is" as const }),
        decimals: first.decimals,
      });
    }
  });
  return found;
}

/** "9 nats of KL": a number that stands before its metric. */
const OF_NEXT = /^\s*(?:nats?|bits?|points?|[%％])\s+(?:of|de|von)\s+(?:the\s+)?$/iu;

/** "50 to 61 %": both are percent. */
function alike(text: string, first: ClauseNumber, second: { readonly value: number; readonly at: number }): number[] {
  const isPercent = /^[-+]?[\d.,]+\s?[%％]/.test(text.slice(second.at).trimStart());
  const isBare = !/[%％]/.test(text.slice(first.at, first.end)) && first.value > 1;
  return [isPercent && isBare && second.value <= 1 ? first.value / 100 : first.value, second.value];
}

/** Right before a number: it is not that one. */
const NOT_SO =
  /(?:n't|\bnot|\bno longer|≠|!=|(?:没有?|不|并不|从不|从未|未)(?:曾|全|都|总|一直)?(?:是|为|等于|到)|并非|非|pas|nicht|\bno es|não é|\bне|ではな)\s*(?:be |equal(?: to)? |at |exactly |bei |à |de )?$/iu;
