/** Reads one printed number from a text without building strings: the inner loop of every line format. @module */

/** Where the last scan ended and what it found; one per reader, reused. */
interface NumberScan {
  value: number;
  /** Index after the number. */
  end: number;
  /** Decimals printed, or -1 for an exponent. */
  decimals: number;
}

const POWERS = Array.from({ length: 23 }, (_, i) => 10 ** i);
const NAMES = ["nan", "NaN", "NAN", "Infinity", "infinity", "inf", "Inf", "INF"];

export function numberScan(): NumberScan {
  return { value: 0, end: 0, decimals: 0 };
}

const isWord = (code: number) =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;

const isDigit = (code: number) => code >= 48 && code <= 57;

/**
 * Digits times a power of ten, to the last bit; NaN where they are too many. An integer below 2^53 times or over a power of
 * ten up to 10^22 is rounded once.
 */
export function plainValue(mantissa: number, power: number): number {
  if (mantissa > Number.MAX_SAFE_INTEGER || power < -22 || power > 22) return NaN;
  return power < 0 ? mantissa / POWERS[-power]! : mantissa * POWERS[power]!;
}

/** Scans a number, `nan` or `inf` with an optional sign at `at`; false where there is none. */
export function scanNumber(text: string, at: number, out: NumberScan): boolean {
  const start = at;
  let code = text.charCodeAt(at);
  const negative = code === 45;
  if (negative || code === 43) code = text.charCodeAt(++at);
  if (!isDigit(code) && code !== 46) return scanName(text, at, negative, out);
  let mantissa = 0, digits = 0, fraction = 0;
  for (; isDigit(code); code = text.charCodeAt(++at)) {
    mantissa = mantissa * 10 + code - 48;
    digits++;
  }
  if (code === 46) {
    for (code = text.charCodeAt(++at); isDigit(code); code = text.charCodeAt(++at)) {
      mantissa = mantissa * 10 + code - 48;
      fraction++;
    }
  }
  if (digits + fraction === 0) return false;
  const after = code === 101 || code === 69 ? afterExponent(text, at) : at;
  const exponent = after === at ? 0 : Math.max(-9999, Math.min(Number(text.slice(at + 1, after)), 9999));
  const value = plainValue(mantissa, exponent - fraction);
  if (Number.isNaN(value)) out.value = Number(text.slice(start, after));
  else out.value = negative ? -value : value;
  out.end = after;
  out.decimals = after === at ? fraction : -1;
  return true;
}

/** The index after an exponent that begins at `at`; `at` itself where no digit follows the letter. */
function afterExponent(text: string, at: number): number {
  let end = at + 1;
  const sign = text.charCodeAt(end);
  if (sign === 45 || sign === 43) end++;
  const first = end;
  while (isDigit(text.charCodeAt(end))) end++;
  return end === first ? at : end;
}

const whole = numberScan();

/** The number that a text is, from its first to its last character; null for any other text. */
export function wholeNumber(text: string): number | null {
  return scanNumber(text, 0, whole) && whole.end === text.length ? whole.value : null;
}

function scanName(text: string, at: number, negative: boolean, out: NumberScan): boolean {
  const code = text.charCodeAt(at) | 32;
  if (code !== 110 && code !== 105) return false; // n, i
  const value = code === 110 ? NaN : Infinity;
  for (const name of NAMES) {
    if (text.startsWith(name, at) && !isWord(text.charCodeAt(at + name.length))) {
      out.value = negative ? -value : value;
      out.end = at + name.length;
      out.decimals = -1;
      return true;
    }
  }
  return false;
}
