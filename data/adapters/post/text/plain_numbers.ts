/**
 * Signs, powers of ten and percent as a log prints them: `−3`, `–3`, "minus 3" and 负3 as `-3`, `1×10⁻⁶`, `1e−6` and
 * `10^{-6}` as `1e-6`, "20 percent" and 百分之20 as `20 %`. Every reader behind it then reads the same number.
 * @module
 */

/** Hyphens that differ from the keyboard's in width or in where a line may break, and the minus. */
const HYPHEN = /[\u2010\u2011\ufe63]|[\u2212\uff0d](?=\s?[\d.∞]|inf)/g;
/** A dash right before a number is its sign, but for one between two numbers or behind a word: that is a range. */
const DASH_SIGN =
  /(?<![\p{L}\d_%％)\]\u2012\u2013/])(?<!\d[%％]? )(?<!-)[\u2012\u2013](?=\d|\.\d|inf\b)|(?<=[eE^](?:\{)?)[\u2012\u2013](?=\d)/gu;
/** "minus 3"; "au moins 3" and "más o menos 3" are none, nor is what is taken from a number. */
const WORD_SIGN =
  /(?<![\p{L}\d]|(?:\b(?:au|du|le|al|lo|pelo|ao|o|ou|or|plus|más|плюс)|\d[\d.,]*)[\s-]{1,3})(?:minus|moins|menos|минус)\s(?=\d)|(?<![正プラス负])负\s?(?=[\d.])|(?<!プラス)マイナス\s?(?=\d)|(?<!플러스\s?)마이너스\s?(?=\d)/giu;
const SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const MINUS = "[-\u2010-\u2013\u2212⁻]";
/** A number times ten to a power; the mantissa may be left out. */
const POWER = new RegExp(
  `(?<![\\p{L}\\d.,^]|\\d\\s?[×x*])(?:(\\d+(?:[.,]\\d+)?)\\s?(?:[×x*·⋅∙•✕]|\\\\(?:times|cdot)(?![a-z]))\\s?)?10\\s?` +
    `(?:\\s?(?:\\^|\\*\\*)\\s?[({]?\\s?(${MINUS}?)\\s?(\\d{1,2})\\s?[)}]?|(⁻?)([${SUPER}]{1,2}))(?![\\d${SUPER}])`,
  "gu",
);
/** "1 x 10-6": the caret was lost on the way; from ten down to six is no range. */
const BARE_POWER = new RegExp(
  `(?<![\\p{L}\\d.,])(\\d+(?:[.,]\\d+)?)\\s?[×x*·⋅]\\s?10${MINUS}([1-9])(?![\\d%\\p{L}]|[.,]\\d)`,
  "gu",
);
/** French and Russian set a point for "times". */
const POINT_POWER = new RegExp(
  `(?<![\\p{L}\\d.,])(\\d)\\.10(?:\\^[{(]?${MINUS}(\\d{1,2})[)}]?|⁻([${SUPER}]{1,2}))`,
  "gu",
);
/** `1e−6`, `1e -6`. */
const EXPONENT = new RegExp(`(?<=(?<![\\p{L}\\d_])\\d[\\d.,]{0,20}[eE])\\s?${MINUS}(?=\\d{1,3}(?![\\d\\p{L}]))`, "gu");
/** "20 percent"; percentage points are none. */
const PERCENT =
  /(?<=\d)\s?(?:per ?cent(?!age|ile|\p{L}| points?)|pct\b|pour ?cents?(?!\p{L})|Prozent(?!\p{L})|por ciento(?!\p{L})|por cento(?!\p{L})|процент(?:а|ов)?(?!\p{L})|퍼센트|パーセント)/giu;
const PERCENT_BEFORE = /百分之\s?(\d+(?:\.\d+)?)(?!\s?[个到至])/g;
/** What a reader of pictures takes for a letter: `O.4755`, `0.6O1`, `l2.6`. */
const MISREAD =
  /(?<![\p{L}\d.]|\p{L}-)(?=[\dOol.]{0,10}[Ool])[\dOol]{1,6}\.(?=[Ool]{0,10}\d)[\dOol]{1,10}(?![\p{L}\d]|\.\d)/gu;
/** Most lines hold none of it. */
const ANY =
  /[\u2010-\u2013\u2212\ufe63⁰¹²³⁴-⁹⁻]|10\s?(?:\^|\*\*)|[×x*·⋅]\s?10-|[eE] -\d|\.10\^|minus|moins|menos|минус|负|マイナス|마이너스|∞|\d\s?(?:per ?cent|pct|pour|Prozent|por c|процент|퍼|パ)|百分之|[Oo]\.\d|\.\d*[Oo]|l\d|\.\d*l/iu;

const digits = (text: string) => [...text].map((c) => SUPER.includes(c) ? SUPER.indexOf(c) : c).join("");

/** What a model wrote of mathematics stays as it wrote it. */
const COMPLETION = /\\(?:boxed|d?frac|sqrt|sum|int|left|begin|text)\b|<\/?(?:think|answer|reasoning|solution)>/;

/** A line whose numbers are written as a log writes them. */
export function plainNumbers(text: string): string {
  if (!ANY.test(text) || COMPLETION.test(text)) return text;
  return text
    .replace(
      POWER,
      (_, mantissa = "1", sign, power, superSign, superPower) =>
        `${mantissa}e${sign || superSign ? "-" : ""}${digits(power ?? superPower)}`,
    )
    .replace(POINT_POWER, (_, mantissa, power, superPower) => `${mantissa}e-${digits(power ?? superPower)}`)
    .replace(BARE_POWER, "$1e-$2")
    .replace(EXPONENT, "-")
    .replace(HYPHEN, "-")
    .replace(DASH_SIGN, "-")
    .replace(WORD_SIGN, "-")
    .replace(PERCENT, " %")
    .replace(PERCENT_BEFORE, "$1%")
    .replace(/∞/g, "inf")
    .replace(MISREAD, (text) => text.replace(/[Oo]/g, "0").replaceAll("l", "1"));
}
