/** Reads a text as one number with its sign, currency and unit; anything else beside it is no number. @module */
import { plainText } from "./plain_text.ts";
import { quantitiesIn, type Quantity } from "./quantities.ts";
import { isScaling } from "./scaling_words.ts";

/** Words that change what a number says without scaling it: operators, comparisons, doubts, denials, further numbers. */
const CHANGES =
  /^(?:pairs?|couples?|twice|thrice|double[ds]?|doubling|triple[ds]?|quadrupled?|squared?|squares?|cubed?|cubic|root|roots|factorial|power|raised|exponent|log|ln|lg|exp|sin|cos|tan|cot|sqrt|abs|mod|modulo|pi|tau|euler|plus|minus|times|multiplied|over|divided|by|remainder|difference|add|added|less|more|fewer|greater|bigger|smaller|larger|higher|lower|above|below|under|beyond|than|least|most|nearly|almost|about|around|roughly|approximately|approx|circa|ish|odd|maybe|perhaps|possibly|probably|negative|positive|not|no|nor|non|never|none|neither|without|except|isn|ain|wasn|cannot|or|and|to|through|until|between|versus|vs|but|if|unless|otherwise|is|are|was|were|be|being|should|would|could|might|may|wrong|false|incorrect|untrue|bad|invalid|nope|nah|hmm|wait|actually|instead|rather|sorry|oops|mistake|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fourty|fifty|sixty|seventy|eighty|ninety|infinity|inf|nan|base|hex|binary|octal|short|debt|owed|bc|bce)$/i;

/** Units of one or two letters, and those that may touch their number or be raised. */
const SHORT = "kg|mg|lbs?|oz|mm|cm|km|ft|yd|ml|hrs?|mins?|secs?|mph|kmh|kWh|cents?|°|degrees?";
const LENGTH = "cm|km|mm|m|ft|yd|in|mi|feet|foot|inch(?:es)?|(?:kilo|centi|milli)?met(?:er|re)s?|miles?|yards?|units?";
const RAISED = `(?:${LENGTH}) ?(?:\\^[23]|\\^\\{[23]\\}|²|³)`;
const WORD = "[A-Za-z]{3,20}", WORDS = `(?:${WORD}|${SHORT})`;
const UNIT = new RegExp(
  `^€?(?: ?(?:${SHORT})(?:/[hs])?| ?(?:${RAISED})| ${WORDS}(?: ${WORDS})?(?: ?(?:/|per|an?|each) ?${WORDS})?)?\\.?$`,
);
/** What is a mark and says nothing: bold, mathematics, a unit in \text. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/\\(?:text|mathrm|mathbf|textbf|mbox|operatorname)\s*\{([^{}]*)\}/g, " $1"],
  [/(?<!\\)\\[,;:! ]|~(?=[A-Za-z])/g, " "],
  [/\\d?t?frac\s*(?:\{(\d+)\}|(\d))\s*(?:\{(\d+)\}|(\d))/g, " $1$2/$3$4"],
  [/\^\{?\\circ\}?/g, "°"],
  [/\s+/g, " "],
];
/** Around the whole: **42**, $42$, \(42\), \boxed{42}. */
const AROUND = [
  /^\*\*(.*?)\*\*(\.?)$/,
  /^\$([^$]*)\$(\.?)$/,
  /^\\\((.*)\\\)(\.?)$/,
  /^\\\[(.*)\\\](\.?)$/,
  /^\\(?:boxed|fbox)\{(.*)\}(\.?)$/,
  /^\{(.*)\}(\.?)$/,
];

/**
 * The number of a text that is one number and nothing else, or null:
 *
 *     [ "x =" ] [ sign ] [ currency ] number [ "%" | unit ] [ "." ]
 *
 * number is digits (thousands set apart), a decimal, a fraction, a mixed number, or has a power of ten; a unit is at most
 * two words of letters and a "per" with one or two, a known short unit, or one of length raised to 2 or 3. A word that
 * scales, compares, denies or joins (million, than, not, or) is no unit, nor is a letter alone (k, x, i).
 */
export function numberLine(written: string): Quantity | null {
  if (written.length > 300 || /\p{Cf}|\p{M}/u.test(written)) return null;
  let text = plainText(written).replace(/^\s*[A-Za-z]\s*=(?!=)/, "").trim();
  for (let i = 0; i < 3; i++) for (const pair of AROUND) text = text.replace(pair, "$1$2").trim();
  text = text.replace(/^[A-Za-z]\s*=(?!=)/, "").trim();
  for (const [mark, instead] of MARKS) text = text.replaceAll(mark, instead);
  text = text.trim().replace(/^- ?(?=[\d.$€£¥₹\\])/, "-").replace(/^-\s+(?=\d+\/)/, "-");
  // 70 000: groups of three after a space, each of them.
  text = text.replace(/^(-?\d{1,3}(?: \d{3})+)(?![\d/]| \d)/, (digits) => digits.replaceAll(" ", ""));
  const { text: read, found: [one] } = quantitiesIn(text);
  if (!one || one.value === null) return null;
  const rest = read.slice(one.end);
  const before = read.slice(0, one.start);
  if (before !== "" || /^[-+]\s*[-+]/.test(text) || !UNIT.test(rest)) return null;
  return changesBehind(wordsIn(rest)) ? null : one;
}

/** Whether a word beside a number makes it say something else. */
export function isChanging(word: string): boolean {
  return CHANGES.test(word) || (word.length > 1 && isScaling(word));
}

/** The words of a text behind a number; what a square metre is square of is no part of the number. */
export function wordsIn(text: string): string[] {
  return text.replaceAll(/\b(?:square|cubic)\s+(?=[A-Za-z]{2})/gi, "").match(/\p{L}+/gu) ?? [];
}

/** Whether words right behind a number make it another one. */
export function changesBehind(words: readonly string[]): boolean {
  return words.some((word) => isChanging(word) || isScaling(word));
}
