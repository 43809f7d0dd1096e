/** A message as a tired person reads it: three digits of a number, no times in thousands of milliseconds. @module */

const DIGITS = 3; // Significant digits.
const SMALL = 1e-3; // Below it zeros have to be counted: it is written with its power of ten.
const WHOLE = ["1", "100"]; // All of something: what is nearly so is not.
const SECOND = 1000; // Milliseconds.

/** A number with decimals that stands by itself: no version, no place in a file. */
const NUMBER = /(?<![\w.\/:])\d+\.\d+(?:e[+-]?\d+)?(?![\w\/]|\.\d)/g;

/** The text with fewer digits, where that says no two numbers to be one and none to be whole. */
export function plainFigures(text: string): string {
  const inSeconds = text.replace(
    /(?<![\w.])(\d+(?:\.\d+)?) ms(?!\w)/g,
    (said, ms) => Number(ms) < SECOND ? said : `${shortOf(String(Number(ms) / SECOND))} s`,
  );
  const numbers = new Set(inSeconds.match(NUMBER) ?? []);
  const shorter = new Map([...numbers].map((number) => [number, shortOf(number)]));
  const times = (short: string) => [...shorter.values()].filter((other) => other === short).length;
  return inSeconds
    .replace(NUMBER, (number) => times(shorter.get(number)!) > 1 ? number : shorter.get(number)!)
    .replace(/\bwent from ((?:about )?)(-?[\d.]+(?: %)?) to \2(?![\w.%]| %|\.\d)/g, "stayed at $1$2");
}

/** A message within a sentence: words that begin with a capital wherever they stand are left, an ordinary first word is not. */
export function asClause(text: string): string {
  return /^[A-Z](?:[a-z]+)?[ ,:]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;
}

/** What a message says first, before it goes into how much and why. */
export function firstClause({ message }: { readonly message: string }): string {
  return plainFigures(message.split("; ")[0]!);
}

function shortOf(number: string): string {
  const value = Number(number);
  // What was not written by a message has its digits for a reason: 0.000 is not 0.
  if (value === 0 || String(value) !== number) return number;
  if (value < SMALL) return String(Number(value.toPrecision(2)).toExponential());
  const short = String(value > 100 ? Math.round(value) : Number(value.toPrecision(DIGITS)));
  return WHOLE.includes(short) ? number : short;
}
