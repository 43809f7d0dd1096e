/** Exact fractions of whole numbers: what numeric answers are compared as. @module */

/** In lowest terms, the denominator positive. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export function rational(numerator: bigint, denominator = 1n): Rational {
  let a = numerator < 0n ? -numerator : numerator, b = denominator < 0n ? -denominator : denominator;
  while (b !== 0n) [a, b] = [b, a % b];
  const divisor = (a === 0n ? 1n : a) * (denominator < 0n ? -1n : 1n);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

export function sameRational(a: Rational, b: Rational): boolean {
  return a.numerator === b.numerator && a.denominator === b.denominator;
}

export function times(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator);
}

export function plus(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

/** a / b; null where b is 0. */
export function over(a: Rational, b: Rational): Rational | null {
  return b.numerator === 0n ? null : rational(a.numerator * b.denominator, a.denominator * b.numerator);
}

/** |a - b| <= max(tolerance * max(|a|, |b|), absolute), exactly; without both, the same number. */
export function closeRational(a: Rational, b: Rational, tolerance: number, absolute = 0): boolean {
  if (tolerance === 0 && absolute === 0) return sameRational(a, b);
  const size = (x: Rational) => x.numerator < 0n ? rational(-x.numerator, x.denominator) : x;
  const isAtMost = (x: Rational, y: Rational) => x.numerator * y.denominator <= y.numerator * x.denominator;
  const difference = size(plus(a, rational(-b.numerator, b.denominator)));
  const scale = isAtMost(size(a), size(b)) ? size(b) : size(a);
  return isAtMost(difference, times(decimal(tolerance.toExponential())!, scale)) ||
    isAtMost(difference, decimal(absolute.toExponential())!);
}

/** Longest number that is read, in digits, and the largest exponent: beyond them nobody wrote an answer. */
const MOST_DIGITS = 300;
const MOST_EXPONENT = 300;

const DECIMAL = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d{1,4}))?$/;

/** The value of plain digits with a point and an exponent, e.g. "-12.50e3"; null for anything else or what is too long. */
export function decimal(text: string): Rational | null {
  if (text.length > 2 * MOST_DIGITS) return null;
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match, digits = whole + fraction;
  const power = Number(exponent) - fraction.length;
  if (digits === "" || digits.length > MOST_DIGITS || Math.abs(Number(exponent)) > MOST_EXPONENT) return null;
  const value = BigInt(digits) * (sign === "-" ? -1n : 1n);
  return power >= 0 ? rational(value * 10n ** BigInt(power)) : rational(value, 10n ** BigInt(-power));
}
