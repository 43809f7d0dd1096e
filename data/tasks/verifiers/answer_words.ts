/** Words beside an answer that make it another one, or none. @module */
import { isScaling } from "./scaling_words.ts";

const set = (words: string) => new RegExp(`^(?:${words.trim().split(/\s+/).join("|")})$`, "i");

const NUMBERS =
  "zero one two three four five six seven eight nine ten eleven twelve \\w+teen twenty thirty forty fourty fifty sixty seventy eighty ninety infinity inf nan pi tau";
/** Right behind a number, whatever follows. */
const BEHIND = set(`squared cubed factorial ish odd or to through until versus vs base hex binary octal ${NUMBERS}`);
/** Right behind a number, where another follows. */
const JOINS = set("plus minus times multiplied over divided by mod modulo power raised x and of less");
/** Before a number, among the last words of its clause. */
const BEFORE = set(`not no nor non never none neither without except cannot half twice thrice double[ds]? doubling
  triple[ds]? quadrupled? squared? cubed? cubic root roots sqrt factorial power log ln lg exp sin cos tan cot abs mod modulo
  minus times plus multiplied divided negative than under over above below beyond nearly almost until between versus
  might may could maybe perhaps possibly probably unlikely pretend fewer forty thirty twenty`);
/** Of mathematics, beside a term: what it is called does not change it. */
const CHANGES = set(`pairs? couples? twice thrice double[ds]? doubling triple[ds]? quadrupled? squared? squares? cubed?
  cubic root roots factorial power raised exponent log ln lg exp sin cos tan cot sqrt abs mod modulo euler plus minus times
  multiplied over divided by remainder difference add added less more fewer greater bigger smaller larger higher lower above
  below under beyond than least most nearly almost about around roughly approximately approx circa ish odd maybe perhaps
  possibly probably negative positive not no nor non never none neither without except isn ain wasn cannot or and to through
  until between versus vs but if unless otherwise is are was were be being should would could might may wrong false
  incorrect untrue bad invalid nope nah hmm wait actually instead rather sorry oops mistake hundred base hex binary octal
  short debt owed bc bce ${NUMBERS}`);

/** Whether a number before these words is another one by them: 42 million, 42 squared, 42 or 43, 42 minus 1. */
export function changesNumber(behind: string): boolean {
  const words = wordsIn(behind.split(/[.,;:!?()\n]/)[0]!), [first, second] = words;
  if (first === undefined) return false;
  if (BEHIND.test(first) || isScaling(first)) return true;
  if (JOINS.test(first) && /^[^.,;:!?\n]{0,20}\d/.test(behind)) return true;
  return second !== undefined && (isScaling(second) && second.length > 1);
}

/** Whether the last words of a clause make the number after them another one, or none: half of 42, not 42. */
export function deniesNumber(clause: string): boolean {
  if (/n['’]t\b|\bnot\b|\bnever\b|\bup to\s*$/i.test(clause)) return true;
  const words = /[A-Za-z\s]*$/.exec(clause)![0].trim().split(/\s+/);
  return words.slice(-3).some((word) => BEFORE.test(word) || (word.length > 1 && isScaling(word)));
}

/** Whether a word beside a term makes it say something else. */
export function isChanging(word: string): boolean {
  return CHANGES.test(word) || (word.length > 1 && isScaling(word));
}

/** The words of a text behind a number; what a square metre is square of is no part of the number. */
export function wordsIn(text: string): string[] {
  return text.replaceAll(/\b(?:square|cubic)\s+(?=[A-Za-z]{2})/gi, "").match(/\p{L}+/gu) ?? [];
}

/** Whether words right behind a term make it another one. */
export function changesBehind(words: readonly string[]): boolean {
  return words.some((word) => isChanging(word) || isScaling(word));
}
