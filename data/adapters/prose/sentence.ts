/** Whether a line is a sentence that a person wrote, or something that a program printed. @module */

const LEAST = 6; // Words of a sentence.
const LOOKED_AT = 1000; // Characters of a line.
/** What programs print in words: warnings, levels, times, paths. */
const PRINTED =
  /^\s*(?:(?:Iter|Step|Epoch|Episode)\s*\d+\s*[:(]|\[|\(|\{|\d{4}-\d\d|\d\d:\d\d|(?:INFO|WARN\w*|DEBUG|ERROR)\b|.*(?:Warning|Error|Exception)\s*:|.*\bpid=|File "|at |#|--|.*\|.*\||[\w./]+\s*[=:]\s*\S+\s*$|\||>>>|(?:KL divergence is starting|warnings?\.warn|Using|Loading|Setting|Downloading|Some weights|You(?: are|'re using)|Please (?:note|pass|use|see|make sure|install|upgrade|consider)|Processing|Generating|Map:)\b)|\d+%\|/;
const WORD = /[\p{L}][\p{L}'’-]*/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** True of a line in which a person says something: `least` words and more, and nothing that a program prints. */
export function isSentence(whole: string, least = LEAST): boolean {
  const line = whole.slice(0, LOOKED_AT);
  if (PRINTED.test(line) || /['"][\w/. -]+['"]\s*:|[{}]/i.test(line)) return false;
  const words = line.match(WORD)?.length ?? 0, unspaced = line.match(UNSPACED)?.length ?? 0;
  const pairs = !/[:=]/.test(line) ? 0 : line.match(/(?<![\w/])[\w/]+['"]?\s*[:=]\s*['"]?-?\d/g)?.length ?? 0;
  return unspaced >= 8 && pairs <= 3 || words >= least && pairs <= 3 && words > 3 * pairs;
}
