/** Evaluates sums, products and powers of plain numbers, such as 737-800 or (1/2)^3. @module */

/** More brackets and signs inside each other are no expression: Python's parser gives up on them as well. */
const DEEPEST = 90;

/** A number, or null for whatever is no expression of numbers with + - * / ^ ** and brackets. */
export function arithmetic(text: string): number | null {
  const tokens = text.match(/\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+|\*\*|[-+*/^()]|\S/g) ?? [];
  let at = 0, depth = 0, isBroken = tokens.length === 0;
  const take = (...wanted: string[]) => wanted.includes(tokens[at]!) ? tokens[at++]! : null;
  const fail = (): number => (isBroken = true, NaN);
  const atom = (): number => {
    if (take("(")) {
      const value = sum();
      return take(")") ? value : fail();
    }
    const token = tokens[at];
    // Python has no integers that begin with 0.
    if (token === undefined || !/^[\d.]/.test(token) || /^0\d+$/.test(token)) return fail();
    at++;
    return Number(token);
  };
  const power = (): number => {
    const base = atom();
    return take("**", "^") ? base ** signed() : base;
  };
  const signed = (): number => {
    if (++depth > DEEPEST) return fail();
    const value = take("-") ? -signed() : take("+") ? signed() : power();
    depth--;
    return value;
  };
  const product = (): number => {
    let value = signed();
    for (let op = take("*", "/"); op && !isBroken; op = take("*", "/")) {
      value = op === "*" ? value * signed() : value / signed();
    }
    return value;
  };
  function sum(): number {
    let value = product();
    for (let op = take("+", "-"); op && !isBroken; op = take("+", "-")) {
      value = op === "+" ? value + product() : value - product();
    }
    return value;
  }
  const value = sum();
  return isBroken || at < tokens.length || !Number.isFinite(value) ? null : value;
}
