/**
 * Reads one printed number from a text without building strings: the inner loop of every line format.
 * @module
 */

/** Where the last scan ended and what it found; one per reader, reused. */
interface NumberScan {
  value: number;
  /** Index after the number. */
  end: number;
  /** Decimals printed, or -1 for an exponent. */
  decimals: number;
  /** Significant digits printed. */
  digits: number;
}

const POWERS = Array.from({ length: 23 }, (_, i) => 10 ** i);
const NAMES: readonly [string, number][] = [
  ["nan", NaN],
  ["NaN", NaN],
  ["NAN", NaN],
  ["Infinity", Infinity],
  ["infinity", Infinity],
  ["inf", Infinity],
  ["Inf", Infinity],
  ["INF", Infinity],
];

export function numberScan(): NumberScan {
  return { value: 0, end: 0, decimals: 0, digits: 0 };
}

const isWord = (code: number) =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;

/** Scans a number, `nan` or `inf` with an optional sign at `at`; false where there is none. */
export function scanNumber(text: string, at: number, out: NumberScan): boolean {
  const start = at;
  let code = text.charCodeAt(at);
  const negative = code === 45;
  if (negative || code === 43) code = text.charCodeAt(++at);
  if ((code < 48 || code > 57) && code !== 46) return scanName(text, at, negative, out);
  let mantissa = 0, digits = 0, significant = 0, fraction = 0;
  while (code >= 48 && code <= 57) {
    mantissa = mantissa * 10 + code - 48;
    digits++;
    if (significant > 0 || code !== 48) significant++;
    code = text.charCodeAt(++at);
  }
  if (code === 46) {
    code = text.charCodeAt(++at);
    while (code >= 48 && code <= 57) {
      mantissa = mantissa * 10 + code - 48;
      digits++;
      fraction++;
      if (significant > 0 || code !== 48) significant++;
      code = text.charCodeAt(++at);
    }
  }
  if (digits === 0) return false;
  let exponent = 0, hasExponent = false;
  if (code === 101 || code === 69) {
    let p = at + 1;
    let sign = text.charCodeAt(p);
    const minus = sign === 45;
    if (minus || sign === 43) sign = text.charCodeAt(++p);
    if (sign >= 48 && sign <= 57) {
      while (sign >= 48 && sign <= 57) {
        exponent = Math.min(exponent * 10 + sign - 48, 9999);
        sign = text.charCodeAt(++p);
      }
      if (minus) exponent = -exponent;
      hasExponent = true;
      at = p;
    }
  }
  const power = exponent - fraction;
  // Exact: an integer below 2^53 times or over a power of ten below 10^22 is rounded once.
  if (significant <= 15 && power >= -22 && power <= 22) {
    const value = power < 0 ? mantissa / POWERS[-power]! : mantissa * POWERS[power]!;
    out.value = negative ? -value : value;
  } else {
    out.value = Number(text.slice(start, at));
  }
  out.end = at;
  out.decimals = hasExponent ? -1 : fraction;
  out.digits = significant;
  return true;
}

const whole = numberScan();

/** The number that a text is, from its first to its last character; null for any other text. */
export function wholeNumber(text: string): number | null {
  return scanNumber(text, 0, whole) && whole.end === text.length ? whole.value : null;
}

function scanName(text: string, at: number, negative: boolean, out: NumberScan): boolean {
  const code = text.charCodeAt(at) | 32;
  if (code !== 110 && code !== 105) return false; // n, i
  for (const [name, value] of NAMES) {
    if (text.startsWith(name, at) && !isWord(text.charCodeAt(at + name.length))) {
      out.value = negative ? -value : value;
      out.end = at + name.length;
      out.decimals = -1;
      out.digits = 0;
      return true;
    }
  }
  return false;
}
