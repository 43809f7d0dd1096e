/** Reads a whole text of mathematics as one exact number, where it is made of numbers alone. @module */
import { plainMath } from "./plain_math.ts";
import { decimal, over, plus, type Rational, rational, times } from "./rational.ts";

/** Longer texts are no number; it also bounds the depth of the parser. */
const MOST_CHARACTERS = 256;
const MOST_EXPONENT = 64;
/** Digits of a power. */
const MOST_DIGITS = 600;

const TOKEN = /\\frac|(?:\d{1,3}(?:,\d{3})+(?![\d,])|\d+)(?:\.\d+)?|\.\d+|\S| /g;

/**
 * The value of `12`, `1,234.5`, `-\frac{3}{4}`, `1\frac12`, `3/4`, `(2+3)*4`, `2^{10}`, `50\%` and the like; null for
 * every text that is more or something else: roots, letters, lists.
 */
export function mathValue(written: string): { readonly value: Rational; readonly percent: boolean } | null {
  if (written.length > MOST_CHARACTERS) return null;
  const text = plainMath(written.replaceAll(/\\?[€£¥₹]|\\\$/g, "")), percent = /%$/.test(text);
  const mixed = /^(-?)(\d+) (\d+)\/(\d+)$/.exec(text);
  const source = mixed ? `${mixed[1]}(${mixed[2]}+${mixed[3]}/${mixed[4]})` : percent ? text.slice(0, -1) : text;
  const value = source === "" ? null : new Reader(source.match(TOKEN) ?? []).whole();
  return value && { value, percent };
}

/** Sums of products of powers; every method is null where the tokens say something else. */
class Reader {
  #at = 0;

  constructor(readonly tokens: readonly string[]) {}

  whole(): Rational | null {
    const value = this.#sum();
    return this.#at === this.tokens.length ? value : null;
  }

  #sum(): Rational | null {
    let left = this.#product();
    while (left && (this.#is("+") || this.#is("-"))) {
      const minus = this.tokens[this.#at++] === "-", right: Rational | null = this.#product();
      left = right && plus(left, minus ? times(right, rational(-1n)) : right);
    }
    return left;
  }

  #product(): Rational | null {
    let left = this.#signed();
    while (left && (this.#is("*") || this.#is("/"))) {
      const divides = this.tokens[this.#at++] === "/", right: Rational | null = this.#signed();
      left = right && (divides ? over(left, right) : times(left, right));
    }
    return left;
  }

  #signed(): Rational | null {
    if (!this.#is("-") && !this.#is("+")) return this.#power();
    const minus = this.tokens[this.#at++] === "-", value = this.#power();
    return value && (minus ? times(value, rational(-1n)) : value);
  }

  #power(): Rational | null {
    const base = this.#part();
    if (!base || !this.#is("^")) return base;
    this.#at++;
    const exponent = this.#is("{") || this.#is("(") ? this.#part() : this.#signed();
    if (exponent?.denominator !== 1n) return null;
    const size = Number(exponent.numerator), digits = String(base.numerator * base.denominator).length;
    if (!(Math.abs(size) <= MOST_EXPONENT && digits * Math.abs(size) <= MOST_DIGITS)) return null;
    const power = BigInt(Math.abs(size)), raised = rational(base.numerator ** power, base.denominator ** power);
    return size < 0 ? over(rational(1n), raised) : raised;
  }

  #part(): Rational | null {
    const token = this.tokens[this.#at];
    if (token === "\\frac") return this.#fraction();
    if (token === "(" || token === "{") return this.#inside();
    if (token === undefined || !/^[\d.]/.test(token)) return null;
    this.#at++;
    const value = decimal(token.replaceAll(",", ""));
    // A whole number before a fraction is added to it: 1\frac12.
    if (!value || !this.#is("\\frac") || value.denominator !== 1n) return value;
    const part = this.#fraction();
    return part && part.numerator >= 0n ? plus(value, part) : null;
  }

  #fraction(): Rational | null {
    this.#at++;
    const above = this.#inside(), below = above && this.#inside();
    return above && below && over(above, below);
  }

  #inside(): Rational | null {
    const closing = this.#is("{") ? "}" : this.#is("(") ? ")" : null;
    if (closing === null) return null;
    this.#at++;
    const value = this.#sum();
    if (!this.#is(closing)) return null;
    this.#at++;
    return value;
  }

  #is(token: string): boolean {
    return this.tokens[this.#at] === token;
  }
}
