/** Whether what stands beside an answer makes it another one: -\boxed{42}, 42!, half of 42, 10-42. @module */
import { changesBehind, isChanging, wordsIn } from "./answer_words.ts";

/** Marks around an answer that say nothing. */
const BEFORE = /(?:\s|\*\*|\$|\\[([]|\\(?:boxed|fbox)\s*\{|\\(?:displaystyle|quad|qquad|[,;:! ])|&|\\\\|\\?[€£¥₹])+$/;
const AFTER = /^(?:\}|\*\*|\$|\\[)\]]|\\[,;:! ]|\s)+/;
/** Ends a sentence, a clause or a line before; what is left is the answer's own clause. */
const STOPS = /[.:;?!,](?=\s|$)|\r?\n/;
/** Words that stand right before an answer and leave it what it is, though they would change it behind. */
const LEADS =
  /^(?:is|are|was|be|or|and|but|by|to|if|the|one|total|difference|remainder|add|added|should|would|could)$/i;
const WORDS_BEFORE = 3, WORDS_AFTER = 2;

/** True where text[start, end) is touched by an operator, a digit or a letter, or by a word that changes it. */
export function isTouched(text: string, start: number, end: number): boolean {
  return changesBefore(text.slice(Math.max(0, start - 200), start)) || changesAfter(text.slice(end, end + 200));
}

function changesBefore(before: string): boolean {
  if (/[\p{L}\p{N}\p{M}_]$/u.test(before)) return true;
  const near = before.replace(BEFORE, ""), gap = before.slice(near.length);
  if (near === "" || near.endsWith("---")) return false;
  if (/[-+/^<>√≠≤≥≈~×÷·*|_!#%]$/u.test(near) || /[<>!~]=$/.test(near)) return !/####$/.test(near);
  if (/\n/.test(gap)) return false;
  if (/\\(?!text)[A-Za-z]+$/.test(near)) return true;
  if (/[({[}]$/.test(near)) return !/\\text\w*\s*\{[^{}]*\}$/.test(near) || isDenied(near);
  return /[\p{N}]$/u.test(near) || isDenied(near);
}

/** "not", "half of", "more than" and the like among the last words of the clause. */
function isDenied(near: string): boolean {
  const clause = near.split(STOPS).at(-1)!.replaceAll(/\\text\w*\s*\{|\}/g, " ");
  if (/n['’]t\b|\bnot\b|\bnever\b/i.test(clause)) return true;
  const words = /[A-Za-z\s]*$/.exec(clause)![0].trim().split(/\s+/);
  return words.slice(-WORDS_BEFORE).some((word) => isChanging(word) && !LEADS.test(word));
}

function changesAfter(after: string): boolean {
  if (/^[\p{L}\p{N}\p{M}\p{Cf}_!?²³^]/u.test(after)) return true;
  const marks = AFTER.exec(after)?.[0] ?? "", near = after.slice(marks.length).replace(/^\\?%/, "");
  if (/\n/.test(marks) || near === "") return false;
  if (/^(?:[-+*/^<>=√≠≤≥≈~×÷·|_!?([{\p{N}\p{M}–—]|\\(?!text|mathrm|end|%|circ)[A-Za-z])/u.test(near)) return true;
  const words = wordsIn(near.replace(/^\\(?:text|mathrm)\w*\s*\{/, "").split(/[.,;:!?\n]/)[0]!);
  return changesBehind(words.slice(0, WORDS_AFTER)) || /^[A-Za-z](?:[^A-Za-z]|$)/.test(near);
}
