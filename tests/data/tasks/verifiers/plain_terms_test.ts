import assert from "node:assert/strict";
import { plainMath } from "../../../../data/tasks/verifiers/plain_math.ts";
import { plainTerms } from "../../../../data/tasks/verifiers/plain_terms.ts";

const plain = (text: string) => plainTerms(plainMath(text));

Deno.test("plainTerms() writes quotients and products of letters in one way", () => {
  const same: readonly (readonly [string, string])[] = [
    ["\\frac{a}{b}", "a/b"],
    ["\\dfrac{x}{2}", "x/2"],
    ["-\\frac{x}{2}", "-x/2"],
    ["\\frac{-x}{2}", "-x/2"],
    ["\\frac{a+b}{c}", "(a+b)/c"],
    ["\\frac{1}{2x}", "1/(2x)"],
    ["\\frac{3\\pi}{4}", "3\\pi/4"],
    ["\\frac{\\sqrt{3}}{2}", "\\sqrt{3}/2"],
    ["1+\\frac{x}{y}", "1+x/y"],
    ["2\\frac{x}{3}", "2x/3"],
    ["\\frac{\\frac{a}{b}}{c}", "(a/b)/c"],
    ["2\\cdot x", "2x"],
    ["2 \\times x", "2x"],
    ["2 * x * y", "2xy"],
    ["2\\cdot(x+1)", "2(x+1)"],
    ["\\pi \\cdot r", "\\pi r"],
    ["\\frac{n(n+1)}{2}", "n(n+1)/2"],
    ["\\frac{a}{(b+c)}", "a/(b+c)"],
    ["(A)", "A"],
    ["x \u2013 1", "x-1"],
    ["x - 1", "x-1"],
    ["\u2013x", "-x"],
  ];
  for (const [a, b] of same) assert.equal(plain(a), plain(b), a);
});

Deno.test("plainTerms() keeps apart what can be read in two ways", () => {
  const apart: readonly (readonly [string, string])[] = [
    ["\\frac{a}{b}c", "a/bc"],
    ["\\frac{a}{b}c", "a/(bc)"],
    ["a/b\\cdot c", "a/bc"],
    ["1/2x", "1/(2x)"],
    ["\\frac{a+b}{c}", "a+b/c"],
    ["\\frac{a}{b+c}", "a/b+c"],
    ["x^\\frac{a}{b}", "x^a/b"],
    ["x^-\\frac{a}{b}", "x^-a/b"],
    ["a/\\frac{b}{c}", "a/b/c"],
    ["x+2\\frac{1}{2}", "x+21/2"],
    ["x-\\frac{-a}{b}", "x--a/b"],
    ["2*3x", "23x"],
    ["x*2", "x2"],
    ["x(y+1)", "x*(y+1)"],
    ["10\u201312", "10-12"],
    ["(A,B)", "A,B"],
    ["(a)(b)", "a)(b"],
    ["\\pi*r", "\\pir"],
  ];
  for (const [a, b] of apart) assert.notEqual(plain(a), plain(b), a);
});

Deno.test("plainTerms() ends soon", () => {
  for (
    const text of [
      "1".repeat(999) + "!",
      "\\frac{".repeat(140),
      "\\frac{" + "1a".repeat(480) + "+}{x}",
      "*a".repeat(499),
    ]
  ) {
    plainTerms(text);
  }
});
