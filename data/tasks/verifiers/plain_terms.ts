/** One way to write products and quotients of letters: \frac{a}{b} is a/b, 2\cdot x is 2x. @module */

/** Fractions that are rewritten, one in the other too. */
const MOST_FRACTIONS = 8;
/** One number, letter, command, root or bracket, with a power of one sign: what may stand beside a slash without brackets. */
const ATOM = String
  .raw`(?:\d+(?:\.\d+)?(?![\d.])|[A-Za-z]|\\[A-Za-z]+(?![A-Za-z])(?:\{[^{}]*\})?|\([^()]*\))(?:\^[\dA-Za-z])?`;
const ONE = new RegExp(`^${ATOM}$`);
const PRODUCT = new RegExp(`^(?:${ATOM})+$`);
/** A fraction that is a term by itself, or has a number before and begins with a letter: 1\frac12 is a sum. */
const INSIDE = String.raw`\{([^{}]*(?:\{[^{}]*\}[^{}]*)?)\}`;
const FRACTION = new RegExp(
  String.raw`(^|(?<!\^)[-+]|[=({,<>]|\d(?=\\frac\{\\?[A-Za-z]))\\frac${INSIDE}${INSIDE}(?=$|[-+=)},<>])`,
);

/**
 * A text of `plainMath` with quotients in place of fractions, products without a sign where none is needed, and no
 * brackets around the whole. What could then be read in two ways stays: a/b*c, \frac{a}{b}c.
 */
export function plainTerms(text: string): string {
  // Between two numbers a dash means a range.
  let terms = text.replaceAll(/(?<!\d)[\u2012\u2013]|[\u2012\u2013](?!\d)/g, "-")
    .replaceAll(/(?<=[A-Za-z)}\]]) ?- ?/g, "-");
  if (!/\/|\\frac/.test(terms)) {
    terms = terms.replaceAll(
      /(?<=(\\[A-Za-z]+)?[\w)}])\*(?=[A-Za-z\\])|(?<=[\d)])\*(?=\()/g,
      (_, command) => command === undefined ? "" : " ",
    );
  }
  for (let i = 0; i < MOST_FRACTIONS; i++) {
    terms = terms.replace(FRACTION, (_, before, above, below) => before + quotient(before, above, below));
  }
  const inside = /^\(([^(),]+)\)$/.exec(terms);
  return inside ? inside[1]! : terms;
}

function quotient(before: string, above: string, below: string): string {
  const isPlain = PRODUCT.test(above) || (!/[-+]/.test(before) && PRODUCT.test(above.replace(/^-/, "")));
  return `${isPlain ? above : `(${above})`}/${ONE.test(below) ? below : `(${below})`}`;
}
