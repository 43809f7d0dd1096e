/** Whether a line is a sentence that a person wrote, or something that a program printed. @module */

const LEAST = 6; // Words of a sentence.
/** What programs print in words: warnings, levels, times, paths. */
const PRINTED =
  /^\s*(?:\[|\(|\{|\d{4}-\d\d|\d\d:\d\d|(?:INFO|WARN\w*|DEBUG|ERROR)\b|.*\w*(?:Warning|Error|Exception)\s*:|.*\bpid=|File "|at |#|--|.*\|.*\||[\w./]+\s*[=:]\s*\S+\s*$|\||>>>|(?:warnings?\.warn|Using|Loading|Setting|Downloading|Some weights|You are|Processing|Generating|Map:)\b)|\d+%\|/;
const WORD = /[\p{L}][\p{L}'’-]*/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** True of a line in which a person says something: words for the most part, and nothing that a program prints. */
export function isSentence(line: string): boolean {
  if (PRINTED.test(line) || /['"][\w/. -]+['"]\s*:|[{}]/i.test(line)) return false;
  const words = line.match(WORD)?.length ?? 0, unspaced = line.match(UNSPACED)?.length ?? 0;
  const pairs = line.match(/[\w/]+['"]?\s*[:=]\s*['"]?-?\d/g)?.length ?? 0;
  return unspaced >= 8 && pairs <= 3 || words >= LEAST && pairs <= 3 && words > 3 * pairs;
}
