/** One way to write an answer of mathematics that LaTeX can write in many. @module */
import { changesBehind, wordsIn } from "./answer_words.ts";
import { plainText } from "./plain_text.ts";

/** Longer texts are compared as they are. */
export const MOST_CHARACTERS = 1000;

/** What is replaced, in this order. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/\\(?:left|right|bigl?|bigr|Bigl?|Bigr|displaystyle|mathopen|mathclose)(?![A-Za-z])/g, ""],
  [/(?<!\\)\\[!,;:> ]|~|\\q?quad(?![A-Za-z])/g, " "],
  [/\\[([\])]|\$/g, ""],
  [/\\[dtc]frac(?![A-Za-z])/g, "\\frac"],
  [/\\(?:text|mathrm|textbf|mathbf|textit|mbox|operatorname|rm|bf)(?![A-Za-z])\s*/g, "\\text"],
  [/\^\s*(?:\{\s*\\circ\s*\}|\\circ(?![A-Za-z]))|\\degree(?![A-Za-z])|°/g, ""],
  [/\\%/g, "%"],
  [/\\(?:cdot|times)(?![A-Za-z])|×|·/g, "*"],
  [/\\div(?![A-Za-z])|÷/g, "/"],
  [/\\le(?![A-Za-z])|≤/g, "\\leq"],
  [/\\ge(?![A-Za-z])|≥/g, "\\geq"],
  [/\\neq?(?![A-Za-z])|≠/g, "\\neq"],
  [/π/g, "\\pi"],
  [/∞/g, "\\infty"],
  [/∪/g, "\\cup"],
  [/√\s*(\d+)/g, "\\sqrt{$1}"],
  [/\{,\}/g, ","],
  // Spaces mean nothing but between two numbers or two words.
  [/\s+/g, " "],
  [/ (?=[^\w.\\-])|(?<=[^\w.%}]) /g, ""],
  [/(?<=\d) (?=[A-Za-z\\*/+=-])|(?<=[A-Za-z]) (?=\d)|(?<=\}) | (?=\\)/g, ""],
  [/\\frac\s*([\d])\s*([\d])/g, "\\frac{$1}{$2}"],
  [/\\frac\s*(\{[^{}]*\})\s*([\dA-Za-z])/g, "\\frac$1{$2}"],
  [/\\frac\s*([\dA-Za-z])\s*(\{)/g, "\\frac{$1}$2"],
  [/\\sqrt\s*([\dA-Za-z])/g, "\\sqrt{$1}"],
  [/\^\{([\dA-Za-z])\}/g, "^$1"],
];

/** What stands in \text behind a value. */
const UNIT = /(?<=[^\s{(,=])\\text\{([^{}]*)\}(?:\^\d)?$/;
/** Said behind a number, and counted: six pairs, three times. Elsewhere they change it. */
const COUNTED = /^(?:pairs?|couples|squares|roots|times)$/i;

/** Whether words behind a value leave it what it is: 42 cm, not 42 million. */
export function isUnit(text: string): boolean {
  return !changesBehind(wordsIn(text).filter((word) => !COUNTED.test(word)));
}

/** The text without layout, units in \text after a value, "x =" before it, and a full stop at its end. */
export function plainMath(written: string): string {
  if (written.length > MOST_CHARACTERS) return written;
  let text = plainText(written).trim();
  for (const [pattern, instead] of RULES) text = text.replaceAll(pattern, instead);
  text = text.replace(UNIT, (all, words) => isUnit(words) ? "" : all).replaceAll(/\\text\{([^{}]*)\}/g, "$1");
  text = text.trim().replace(/(?<!\d)\.(?!\d)$|(?<=\d)\.$/, "").trim();
  text = text.replace(/^(?:[A-Za-z]|[A-Za-z]\([A-Za-z]\))\s*(?:=|\\in(?![A-Za-z]))\s*(?!=)/, "");
  while (/^\{[^{}]*\}$/.test(text)) text = text.slice(1, -1).trim();
  return text.trim();
}
