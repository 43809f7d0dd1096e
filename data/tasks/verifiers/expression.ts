/** Evaluates an arithmetic expression exactly, without running it as code. @module */
import { type Rational, rational } from "./rational.ts";

/** A value as a fraction in lowest terms with a positive denominator, with the integers it was written with. */
interface ExpressionValue extends Rational {
  /** Integers in the order they occur. */
  readonly operands: readonly number[];
}

const MAX_LENGTH = 256; // Longer texts are not expressions; this also bounds the parser's depth.
const MAX_DIGITS = 15;

type Fraction = readonly [numerator: bigint, denominator: bigint];

/**
 * Value of `+ - * / ( )` over non-negative integers (also `× ÷ −`), or null when the text is anything else, divides by
 * zero or is longer than 256 characters. Division is exact: "(1/3)*3" is 1.
 */
export function evaluateExpression(text: string): ExpressionValue | null {
  const source = text.replaceAll(/\s+/g, " ").trim().replaceAll("×", "*").replaceAll("÷", "/").replaceAll("−", "-");
  if (source.length > MAX_LENGTH) return null;
  const tokens = source.match(/\d+|[-+*/()]|\S/g) ?? [];
  const operands: number[] = [];
  let at = 0;

  const factor = (): Fraction | null => {
    const token = tokens[at++];
    if (token === "(") {
      const inside = sum();
      return tokens[at++] === ")" ? inside : null;
    }
    if (token === undefined || !/^\d+$/.test(token) || token.length > MAX_DIGITS) return null;
    operands.push(Number(token));
    return [BigInt(token), 1n];
  };
  const product = (): Fraction | null => {
    let left = factor();
    while (left && (tokens[at] === "*" || tokens[at] === "/")) {
      const times = tokens[at++] === "*";
      const right = factor();
      if (!right || (!times && right[0] === 0n)) return null;
      left = times ? [left[0] * right[0], left[1] * right[1]] : [left[0] * right[1], left[1] * right[0]];
    }
    return left;
  };
  const sum = (): Fraction | null => {
    let left = product();
    while (left && (tokens[at] === "+" || tokens[at] === "-")) {
      const sign = tokens[at++] === "+" ? 1n : -1n;
      const right = product();
      if (!right) return null;
      left = [left[0] * right[1] + sign * right[0] * left[1], left[1] * right[1]];
    }
    return left;
  };

  const value = sum();
  if (!value || at !== tokens.length) return null;
  return { ...rational(...value), operands };
}
