import assert from "node:assert/strict";
import { symbolicallyEqual } from "../../../../steps/rewards/visual_rft/symbolic_shortcut.ts";

interface Case {
  readonly name: string;
  readonly inputs: { readonly completion: string; readonly solution: string };
  readonly quirk?: boolean;
}

Deno.test("symbolicallyEqual() is Math-Verify's verdict on every golden pair of texts", () => {
  const file = new URL("../../../goldens/formulas/visual_rft_rewards.json", import.meta.url);
  const { cases } = JSON.parse(Deno.readTextFileSync(file)) as { cases: Case[] };
  assert(cases.filter(({ quirk }) => quirk).length > 40);
  for (const { name, inputs, quirk = false } of cases) {
    assert.equal(symbolicallyEqual(inputs.completion, inputs.solution), quirk, name);
  }
});

// Each row was run through Math-Verify 0.9.0: every text of a row is equal to every other of it, to none of another row.
const EQUAL = [
  ["The answer is $\\frac{1}{2}$", "0.5", "\\boxed{1/2}", "answer 0.5"],
  ["the final answer is 3. I hope", "x = 3", "<answer>a = 12, b= 3</answer>", "\\boxed{3}", "3.0"],
  ["1,234", "$1,234$", "1234"],
  ["<answer>[5, 546, 9, 12]", "546.0", "The answer is 546"],
  ["12 345", "12345"],
  ["2*3", "6", "price $5 and $6"],
  ["$$7$$", "007"],
  ["\\[8\\]", "8"],
  ["737-800", "-63"],
];

Deno.test("symbolicallyEqual() takes the number that Math-Verify takes", () => {
  EQUAL.forEach((row, i) =>
    row.forEach((text) =>
      EQUAL.forEach((others, j) =>
        others.forEach((other) => assert.equal(symbolicallyEqual(text, other), i === j, `${text} | ${other}`))
      )
    )
  );
  assert(symbolicallyEqual("50 %", "50") && symbolicallyEqual("50%", "0.5"));
});

// By Math-Verify 0.9.0, pair by pair: 50 % is 50 and 0.5, which are not the same; a sign that a box holds counts.
const PAIRS: readonly (readonly [text: string, other: string, isEqual: boolean])[] = [
  ["100 %", "1", true],
  ["x 500 %", "$5$", true],
  ["$50$", "\\boxed{50\\%}", true],
  ["x 0.5", "\\boxed{50\\%}", true],
  ["x 50.5%", "\\boxed{50.5\\%}", true],
  ["\\boxed{50.5}", "\\boxed{50.5\\%}", false],
  ["x 50.5", "x 50.5 %", true],
  ["x -5", "$-5\\%$", false],
  ["x 50", "\\boxed{050}", true],
  ["$1e2$", "$100$", false],
  // A box ends with its own bracket.
  ["\\boxed{4} [{'Confidence': 0.5}]", "x 4", true],
  ["\\boxed{\\frac{1}{2}} and {3}", "x 0.5", true],
  ["\\boxed{4} then \\boxed{5", "x 5", false],
  // To six digits after the point.
  ["x 0.12341", "x 0.12342", false],
  ["x 0.123456", "x 0.123457", false],
  ["x 0.1234561", "x 0.1234563", true],
];

Deno.test("symbolicallyEqual() has Math-Verify's percentages, and its digits after the point", () => {
  for (const [text, other, isEqual] of PAIRS) {
    assert.equal(symbolicallyEqual(text, other), isEqual, `${text} | ${other}`);
    assert.equal(symbolicallyEqual(other, text), isEqual, `${other} | ${text}`);
  }
});

Deno.test("symbolicallyEqual() finds nothing in names and in numbers without a space before them", () => {
  for (const text of ["", "A330-200", "<answer>2012 Audi</answer>", "[236,550]", "'5', '6'"]) {
    assert(!symbolicallyEqual(text, text), text);
  }
});

Deno.test("symbolicallyEqual() sees white space, line ends and characters as Python's patterns do", () => {
  // A number stands after white space: U+0085 is some, U+FEFF is none.
  assert(symbolicallyEqual("x\x857", "x 7"));
  assert(symbolicallyEqual("x\x1c7", "x 7"));
  assert(!symbolicallyEqual("x\ufeff7", "x 7"));
  // No more than 50 characters after the word, of which only a line feed is none and two halves are one.
  const after = (between: string) => symbolicallyEqual(`answer${between} 7${" b".repeat(5)} 8`, "x 7");
  assert(after("\r\u2028") && after("😀".repeat(40)));
  assert(!after("\n") && !after("a".repeat(60)));
});

Deno.test("symbolicallyEqual() takes whole runs of numbers and operators in order, and percentages after spaces", () => {
  assert(symbolicallyEqual("x = 2 * (3+4) - 1.", "13") && symbolicallyEqual(" 1 2 3 - 1*x", "1"));
  assert(symbolicallyEqual("7.5  percent", "0.075"));
  assert(symbolicallyEqual("$\\boxed{1} or \\boxed{4}$", "4") && symbolicallyEqual("\\boxed{\\frac{8}{2}}", "4"));
});

Deno.test("symbolicallyEqual() gives up soon on long runs that end in nothing", () => {
  // With two repetitions over one run each of these went on for minutes.
  const texts = [
    " 1".repeat(1650) + "*".repeat(6600) + "x",
    "answer:" + " 1".repeat(50) + " ".repeat(9800) + "=",
    "<answer>" + "= 1".repeat(1000) + "-".repeat(6900) + "x",
  ];
  for (const text of texts) assert.equal(symbolicallyEqual(text, "<answer>3</answer>"), false);
});
