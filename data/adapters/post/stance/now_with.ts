/** Sentences that set what was tried before against the present run: "with lr 0.5 it exploded, now with 1e-6 it rises". @module */
import { sifted, siftedOf } from "../words/match.ts";

const NUMBER = "([-+]?(?:\\d+(?:[.,]\\d+)?|\\.\\d+)(?:[eE][-+]?\\d+)?)(?![\\d%])";
const NOW = sifted(
  [
    `(?<!\\p{L})(?:now|currently|these days)\\s+(?:(?:I|we)\\s+)?(?:(?:with|at|using|use|on|run|it is|it's)\\s+)(?:about |a |an |the )?${NUMBER}`,
    `(?<!\\p{L})(?:jetzt|nun|inzwischen)\\s+(?:(?:mit|bei|auf)\\s+)${NUMBER}`,
    `(?<!\\p{L})(?:maintenant|désormais)\\s+(?:(?:avec|à)\\s+)${NUMBER}`,
    `(?<!\\p{L})(?:ahora|agora)\\s+(?:(?:con|com|uso|a)\\s+)${NUMBER}`,
    `(?<!\\p{L})(?:теперь|сейчас)\\s+(?:(?:с|при|на)\\s+)${NUMBER}`,
    `(?:现在|目前|如今)(?:改?用|改成|改为|换成|设为|是|为)\\s*${NUMBER}`,
    `(?:今は|現在は)\\s*${NUMBER}\\s*(?:で|に)`,
    `(?:지금은|이제는?|현재는?)\\s*${NUMBER}\\s*(?:으로|로|에서)`,
  ].join("|"),
  "iu",
);
/** What was set once, with a word of the past. */
const ONCE = siftedOf(
  /(?<!\p{L})(?:(?:at first|initially|originally|previously|earlier|before|in the beginning)(?!\p{L})[^.;]{0,40}(?<!\p{L})(?:was|were|had|used|tried|started|set)|(?:zuerst|anfangs|früher|vorher|zunächst)(?!\p{L})[^.;]{0,40}(?<!\p{L})(?:war|hatte|nutzte|lag)|(?:war|hatte|lag)\s(?:zuerst|anfangs|früher|vorher|zunächst)|(?:au début|d'abord|avant|auparavant)(?!\p{L})[^.;]{0,40}(?<!\p{L})(?:était|avais|avions|j'ai)|(?:al principio|antes|no início|no começo|inicialmente)(?!\p{L})[^.;]{0,40}(?<!\p{L})(?:era|tenía|estaba|usaba|tinha|usava|estava)|(?:сначала|раньше|вначале)(?!\p{L})[^.;]{0,40}(?:был[аои]?|стоял[аои]?))(?!\p{L})|(?:一开始|起初|原来|之前|以前)(?:的)?[^，。]{0,12}(?:是|用|设|为)|(?:最初は|当初は|以前は)|(?:처음에는?|이전에는?|원래는?)/iu,
);

interface Present {
  /** Where the present begins in the sentence. */
  readonly at: number;
  /** The number that is set now. */
  readonly raw: string;
}

/** Null for a sentence that sets nothing against the present. */
export function presentOf(sentence: string): Present | null {
  const found = NOW.exec(sentence);
  if (found === null || found.index === 0) return null;
  const raw = found.slice(1).find((one) => one !== undefined)!;
  return { at: found.index, raw };
}

/** True of a clause that tells what a setting was. */
export const wasSet = (text: string): boolean => ONCE.test(text);
