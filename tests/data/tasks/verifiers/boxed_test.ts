import assert from "node:assert/strict";
import { boxed } from "../../../../data/tasks/verifiers/boxed.ts";
import { assertJudged, type Case, LONG } from "./judged.ts";

const box = (inside: string) => `So the answer is $\\boxed{${inside}}$.`;

const RIGHT: readonly Case[] = [
  [box("\\frac12"), "\\frac{1}{2}", true],
  [box("\\dfrac{1}{2}"), "0.5", true],
  [box("1/2"), "\\tfrac12", true],
  [box("-\\frac{1}{2}"), "\\frac{-1}{2}", true],
  [box("\\frac{2}{4}"), "\\frac12", true],
  [box("1\\frac{1}{2}"), "3/2", true],
  [box("x = 5"), "5", true],
  [box("5\\text{ cm}"), "5", true],
  [box("5 \\mathrm{~cm}^2"), "5", true],
  [box("42 apples"), "42", true],
  [box("\\text{Evelyn}"), "Evelyn", true],
  [box("\\textbf{(B)}"), "\\text{(B)}", true],
  [box("50\\%"), "50", true],
  [box("50\\%"), "0.5", true],
  [box("\\$18.90"), "18.9", true],
  [box("10{,}000"), "10,000", true],
  [box("90^\\circ"), "90", true],
  [box("\\left( 3, \\frac{\\pi}{2} \\right)"), "(3,\\frac{\\pi}2)", true],
  [box("(1/2, 2]"), "(\\frac12,2.0]", true],
  [box("(-\\infty, 2)\\cup(3, \\infty)"), "(-\\infty,2) \\cup (3,\\infty)", true],
  [box("\\{2, 1\\}"), "\\{1,2\\}", true],
  [box("3, -2"), "-2,3", true],
  [box("2\\sqrt3"), "2\\sqrt{3}", true],
  [box("x^2+1"), "x^{2} + 1", true],
  [box("-2 \\le x \\leq 3"), "-2\\leq x\\le 3", true],
  [box("2^{10}"), "1024", true],
  [box("(1+2)*3"), "9", true],
  ["\\boxed 7", "7", true],
  ["\\fbox{7}", "7", true],
  ["First \\boxed{8}. Checking again gives \\boxed{7}", "7", true],
  ["\\boxed{\\boxed{7}}", "7", true],
  [box("7"), "We compute … so it is \\boxed{7}.", true],
  [box("\\frac{a}{b}"), "a/b", true],
  [box("2\\cdot x"), "2x", true],
  [box("\\text{(A)}"), "A", true],
  [box("A"), "\\textbf{(A)}", true],
  [box("\u20135"), "-5", true],
  [box("\u22125"), "-5", true],
  [box("6\\text{ pairs}"), "6", true],
  [box("5\\text{ square units}"), "5", true],
  [box("20\\text{ paths}"), "20", true],
  [box("5\\text{ mm}"), "5", true],
  [box("\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}"), "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}", true],
];

const WRONG: readonly Case[] = [
  ...[
    ...["7k", "7kk", "7M", "7 million", "7 thousand", "7 dozen", "7bn", "7 hundred", "7 tenths", "7 half", "7 squared"],
    ...[
      "\\text{ million}",
      "\\text{k}",
      "\\mathrm{~k}",
      "\\,\\text{thousand}",
      "\\text{ grand}",
      "\\text{ тысяч}",
      "\\text{ 万}",
      "\\text{ or more}",
      "\\text{ is wrong}",
    ]
      .map((unit) => `7${unit}`),
    ...["5\u20137", "\u20137", "7 to 9", "7\\text{ plus one}"],
  ].map((inside): Case => [box(inside), "7", false]),
  [box("10\u201312"), "-2", false],
  [box("\\text{(A)}"), "B", false],
  [box("(A,B)"), "A", false],
  ["7", "7", false],
  ["", "7", false],
  ["\\boxed{}", "7", false],
  ["\\boxed{7", "7", false],
  ["\\boxed", "7", false],
  [box("7") + " Wait, that is wrong, it is 8.", "7", false],
  [box("7") + " Actually it is \\boxed{8}.", "7", false],
  ["\\boxed{6} or \\boxed{7}", "7", false],
  ["\\boxed{5}, \\boxed{6}, \\boxed{7}", "7", false],
  [box("6, 7"), "7", false],
  [box("7 or 8"), "7", false],
  [box("\\{7, 8\\}"), "7", false],
  [box("77"), "7", false],
  [box("-7"), "7", false],
  [box("7.1"), "7", false],
  [box("7x"), "7", false],
  [box("7^2"), "7", false],
  [box("[1, 2]"), "(1, 2]", false],
  [box("(2, 1)"), "(1, 2)", false],
  [box("(1, 2, 3)"), "(1, 2)", false],
  [box("\\{1, 1\\}"), "\\{1, 2\\}", false],
  [box("1 1/2"), "11/2", false],
  [box("\\frac{1}{0}"), "0", false],
  [box("1e400"), "10", false],
  [box("\\infty"), "-\\infty", false],
  [box("NaN"), "7", false],
  [box("9^{9^{9^9}}"), "7", false],
  [box("2^{1000000000}"), "7", false],
  [box("В"), "B", false], // Cyrillic
  [box("\\sqrt{8}"), "2\\sqrt{2}", false], // not decided: unequal
  [box("x+1"), "1+x", false], // not decided: unequal
  [box("7 < x"), "7", false],
  [box("\\text{7 or 8}"), "7", false],
  ["The number 7 is asked for: $\\boxed{n}$", "7", false],
];

Deno.test("boxed.verify() refuses a box that what stands around it changes", () => {
  const texts = [
    "-\\boxed{7}",
    "- $\\boxed{7}$",
    "2\\boxed{7}",
    "x\\boxed{7}",
    "\\boxed{7}^2",
    "\\boxed{7}!",
    "\\boxed{7}x",
    "\\boxed{7} million",
    "\\boxed{7} dozen",
    "\\sqrt{\\boxed{7}}",
    "\\frac{\\boxed{7}}{2}",
    "(\\boxed{7})^2",
    "\\boxed{7}\\cdot 2",
    "\\boxed{7} + 1",
    "x \\neq \\boxed{7}",
    "x < \\boxed{7}",
    "not \\boxed{7}",
    "half of \\boxed{7}",
    "at least \\boxed{7}",
    "\\boxed{7} is wrong.",
    "\\log \\boxed{7}",
    "1/\\boxed{7}",
    "\\boxed{7} or 8",
    "\\boxed{7}/2",
  ];
  assertJudged(boxed, texts.map((text) => [text, "7", false]));
  assertJudged(
    boxed,
    ["x = \\boxed{7}", "**\\boxed{7}**", "\\[ \\boxed{7} \\]", "a total of $\\boxed{7}$ eggs."].map((
      text,
    ) => [text, "7", true]),
  );
});

Deno.test("boxed.verify() accepts the answer in its many forms", () => assertJudged(boxed, RIGHT));

Deno.test("boxed.verify() refuses what only looks like the answer", () => assertJudged(boxed, WRONG));

Deno.test("boxed.verify() with method flexible reads #### and sentences too", () => {
  const cases: Case[] = [
    ["#### \\frac12", "1/2", true],
    ["The answer is $\\frac{1}{2}$.", "1/2", true],
    [box("1/2"), "1/2", true],
    ["1/2", "1/2", false],
    ["The answer is 1/2 or 1/3.", "1/2", false],
  ];
  assertJudged(boxed, cases, { method: "flexible" });
});

Deno.test("boxed.verify() ends soon on texts of 1 MB, within a box too", () => {
  for (const text of LONG) {
    boxed.verify!(text, { answer: "7" }, { method: "flexible" });
    assert.equal(boxed.verify!(`\\boxed{${text}}`, { answer: "7" }, { method: "strict" }), false);
  }
  for (const inside of ["{", "(", "\\frac{", "-", "1+", "((1)^"]) {
    boxed.verify!(`\\boxed{${inside.repeat(200)}}`, { answer: "7" }, { method: "strict" });
  }
});

Deno.test("boxed.problem() names answers that cannot be compared", () => {
  const problem = (answer: string) => boxed.problem(answer, { method: "strict" }, { answer });
  assert.equal(problem("x"), null);
  assert.equal(problem(" "), "is empty");
  assert.match(problem("so \\boxed{7")!, /does not end/);
  assert.match(problem("7".repeat(2000))!, /has more than 1000 characters/);
});
