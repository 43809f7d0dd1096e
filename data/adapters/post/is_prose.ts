/** Whether people write in a text, or a program printed it. @module */
import { stripAnsi } from "../source/text.ts";
import { clausesOf } from "./clauses.ts";
import { readClause } from "./read_clause.ts";

const LOOKED_AT = 200; // Lines at the beginning.
const SHARE = 0.5; // Of the lines that are not empty: sentences.
const LEAST = 6; // Words of a sentence.
/** What programs print in words: warnings, levels, times, paths. */
const PRINTED =
  /^\s*(?:\[|\(|\{|\d{4}-\d\d|\d\d:\d\d|(?:INFO|WARN\w*|DEBUG|ERROR)\b|.*\w*(?:Warning|Error|Exception)\s*:|.*\bpid=|File "|at |#|--|.*\|.*\||[\w./]+\s*[=:]\s*\S+\s*$|\||>>>)|\d+%\||\b(?:warnings?\.warn|Using|Loading|Setting|Downloading|Some weights|You are|Processing|Generating|Map:)\b/;
const WORD = /[\p{L}][\p{L}'’-]*/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** A person speaks: of themselves, to others, or asks. */
const PERSON =
  /(?<![\w'])(?:I|I'm|my|our|anyone|please|why|hi|hello|thanks)(?![\w'])|[?？]\s*$|我|您|请|大家|为什么|吗|です|ます|ません|私|습니다|나요|제가|\b(?:je|mon|notre|bonjour|pourquoi|ich|mein|wir|hallo|warum|mi|hola|por qué|eu|meu|olá)\b|(?<!\p{L})(?:я|мой|мы|почему|привет)(?!\p{L})/iu;

const isSentence = (line: string) => {
  if (PRINTED.test(line) || /\bstep\b.*[:=].*[:=]|['"][\w/. -]+['"]\s*:|[{}]/i.test(line)) return false;
  const words = line.match(WORD)?.length ?? 0, unspaced = line.match(UNSPACED)?.length ?? 0;
  const pairs = line.match(/[\w/]+['"]?\s*[:=]\s*['"]?-?\d/g)?.length ?? 0;
  return unspaced >= 8 && pairs <= 3 || words >= LEAST && pairs <= 3 && words > 3 * pairs;
};

export function isProse(head: string): boolean {
  const lines = stripAnsi(head.slice(0, 32_768)).split("\n").filter((line) => line.trim() !== "").slice(0, LOOKED_AT);
  if (lines.some((line) => /^\s*(?:```|~~~)/.test(line))) return true;
  const sentences = lines.filter(isSentence);
  if (sentences.some((line) => PERSON.test(line))) return true;
  // Nobody speaks of themselves: sentences that say something of a run, and hardly anything else.
  return sentences.length > 0 && sentences.length >= SHARE * lines.length && sentences.some(saysSomething);
}

function saysSomething(line: string): boolean {
  return clausesOf([{ text: line, number: 1, ended: true }]).some((clause) => {
    const { claims, values } = readClause(clause, "author", []);
    return claims.length + values.length > 0;
  });
}
