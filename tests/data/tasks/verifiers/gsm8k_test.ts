import assert from "node:assert/strict";
import { gsm8k } from "../../../../data/tasks/verifiers/gsm8k.ts";
import { assertJudged, type Case, LONG } from "./judged.ts";

const SOLVED = "She sells 16 - 3 - 4 = <<16-3-4=9>>9 eggs.\nShe makes 9 * 2 = $<<9*2=18>>18.\n#### 18";

const RIGHT: readonly Case[] = [
  ["9 * 2 = 18\n#### 18", SOLVED, true],
  ["####18", SOLVED, true],
  ["#### $18.00", SOLVED, true],
  ["#### 18 dollars per day.", SOLVED, true],
  ["She makes \\boxed{18} dollars.", SOLVED, true],
  ["so $\\boxed{\\$18}$.", SOLVED, true],
  ["**The answer is:** 18", SOLVED, true],
  ["The answer is 9 * 2 = 18 dollars.", SOLVED, true],
  ["the final answer is **18**.", SOLVED, true],
  ["Answer: 18", SOLVED, true],
  ["She has 9 left, which makes 18", SOLVED, true],
  ["#### 1,234,567", "#### 1234567", true],
  ["#### 1234567", "#### 1,234,567", true],
  ["#### 1\u202f234", "#### 1234", true],
  ["#### 12,34,567", "#### 1234567", true],
  ["#### 1_000", "#### 1000", true],
  ["#### \u22125", "#### -5", true],
  ["#### - 5", "#### -5", true],
  ["#### \u20135", "#### -5", true],
  ["The answer is \u2013$5.", "#### -5", true],
  ["#### 18 square feet", SOLVED, true],
  ["#### 18 paths", SOLVED, true],
  ["#### 18 mm", SOLVED, true],
  ["#### -$5", "#### -5", true],
  ["#### １８", SOLVED, true],
  ["#### 0.5", "#### 1/2", true],
  ["#### ½", "#### 0.5", true],
  ["#### 1 1/2", "#### 1.5", true],
  ["#### \\frac{3}{4}", "#### 0.75", true],
  ["#### .75", "#### 0.75", true],
  ["#### 1.8e1", SOLVED, true],
  ["#### 1.8 × 10^1", SOLVED, true],
  ["#### 1.8 \\times 10^{1}", SOLVED, true],
  ["#### 18%", "#### 18%", true],
  ["#### 18", "#### 18%", true],
  ["#### 0.18", "#### 18%", true],
  ["#### 18.000", SOLVED, true],
  ["First I thought 20. #### 20\nLet me check: 9*2.\n#### 18", SOLVED, true],
  ["It is not 20.\n#### 18", SOLVED, true],
];

const WRONG: readonly Case[] = [
  ...[
    "18k",
    "18kk",
    "18 K",
    "18M",
    "18 million",
    "18 thousand",
    "18\\text{ million}",
    "18\\text{k}",
    "18\\mathrm{~M}",
    "18 bn",
    "18 grand",
    "18 lac",
    "18 тысяч",
    "18 万",
  ]
    .flatMap((said) => [`#### ${said}`, `\\boxed{${said}}`, `The answer is ${said}.`, `So we get ${said}`])
    .map((text): Case => [text, SOLVED, false]),
  ["We get 10\u201318", SOLVED, false],
  ["", SOLVED, false],
  ["   \n", SOLVED, false],
  ["#### ", SOLVED, false],
  ["eighteen", SOLVED, false],
  ["#### 18 or 19", SOLVED, false],
  ["#### 17, 18, 19", SOLVED, false],
  ["The answer is 18 or 19.", SOLVED, false],
  ["The answer is 17 and 18.", SOLVED, false],
  ["it may be 17 or 18", SOLVED, false],
  ["#### 18\nWait, actually it is 19.", SOLVED, false],
  ["The answer is 18. No, the answer is 20.", SOLVED, false],
  ["\\boxed{18}. Sorry, I made a mistake, it should be 16", SOLVED, false],
  ["The answer is not 18", SOLVED, false],
  ["18 is what you get first. So she makes 20", SOLVED, false],
  ["#### -18", SOLVED, false],
  ["#### 1.8", SOLVED, false],
  ["#### 180", SOLVED, false],
  ["#### 18e2", SOLVED, false],
  ["#### 1e400", SOLVED, false],
  ["#### NaN", SOLVED, false],
  ["#### Infinity", SOLVED, false],
  ["#### 18/0", SOLVED, false],
  ["#### 18^2", SOLVED, false],
  ["#### 18²", SOLVED, false],
  [`#### ${"1".repeat(5000)}18`, SOLVED, false],
  [`#### ${"1".repeat(320)}18`, SOLVED, false],
  ["#### 18:30", SOLVED, false],
  ["#### 18 2/3", SOLVED, false],
  ["#### 18.0000001", SOLVED, false],
  ["\\boxed{16} \\boxed{17} \\boxed{19}", SOLVED, false],
  ["#### 18\n#### 19", SOLVED, false],
  ["\\boxed{\\boxed{}} ####", SOLVED, false],
  ["#### 0.2", "#### 18%", false],
  ["#### 1234567890123456789", "#### 1234567890123456788", false],
];

/** Beside 42: after #### (both methods), in a box and after "the answer is". */
const BESIDE = [
  "√42",
  "\\sqrt{42}",
  "(42)!",
  "log 42",
  "sin(42)",
  "42\\pi",
  "42i",
  "42x",
  "42k",
  "42 K",
  "42 M",
  "42bn",
  "42 thousand",
  "42 million",
  "42\\text{ million}",
  "42 dozen",
  "half of 42",
  "twice 42",
  "two times 42",
  "-42",
  "--42",
  "not 42",
  "\\text{not }42",
  "x ≠ 42",
  "x<42",
  "x \\neq 42",
  "x >= 42",
  "more than 42",
  "42 or forty-three",
  "42 or so",
  "42 is wrong",
  "42 wrong",
  "42 minus 1",
  "42 squared",
  "42^2",
  "42²",
  "42 tenths",
  "42 forty",
  "42٠",
  "42\u0305",
  "4\u20602",
  "4\u200b2",
  "42 % of 50",
  "42/0",
  "42e5",
  "42 43",
  "40-42",
  "41 = 42",
  "2x = 42",
  "42 mod 5",
  "|42|x",
  "42 MM",
  "0x42",
  "42:30",
  "42?",
];

Deno.test("gsm8k.verify() refuses a number that anything beside it changes", () => {
  const forms = [(s: string) => `#### ${s}`, (s: string) => `\\boxed{${s}}`, (s: string) => `The answer is ${s}`];
  for (const form of forms) assertJudged(gsm8k, BESIDE.map((said) => [form(said), "#### 42", false]));
  assertJudged(gsm8k, BESIDE.map((said) => [`#### ${said}`, "#### 42", false]), { method: "strict" });
  const after = ["\nNo. It is 43", "\nHmm, I think 43", "\nforty-three", "\n43"];
  for (const method of ["strict", "flexible"]) {
    assertJudged(gsm8k, after.map((tail) => [`#### 42${tail}`, "#### 42", false]), { method });
    assertJudged(gsm8k, [["so\n#### 42\n \n", "#### 42", true]], { method });
  }
});

Deno.test("gsm8k.verify() refuses a box or sentence that what stands around it changes", () => {
  const texts = [
    "-\\boxed{42}",
    "2\\boxed{42}",
    "\\boxed{42}^2",
    "\\boxed{42}!",
    "\\sqrt{\\boxed{42}}",
    "\\boxed{42} million",
    "not \\boxed{42}",
    "more than \\boxed{42}",
    "\\boxed{42} is wrong.",
    "\\boxed{41} \\boxed{42}",
    "\\boxed{42}\\cdot 2",
    "x < \\boxed{42}",
    "The answer is 42? No, 43",
    "I doubt that the answer is 42.",
    "The answer isn't 42.",
    "It is not true that the answer is 42.",
    "The answer is 42. That is wrong.",
    "It takes 10-42",
    "it is not 42",
    "it is half of 42",
    "it is √42",
    "it makes 42 million",
    "41 to 42",
    "x < 42",
    "more than 42",
  ];
  assertJudged(gsm8k, texts.map((text) => [text, "#### 42", false]));
});

Deno.test("gsm8k.verify() takes units, raised ones too, and spaces between thousands", () => {
  const texts = [
    "The answer is 70 000 cm^2.",
    "The answer is 70000 cm².",
    "#### 70000 m^2",
    "#### 70 000",
    "**The answer is $70,000**.",
  ];
  assertJudged(gsm8k, texts.map((text) => [text, "#### 70000", true]));
});

Deno.test("gsm8k.verify() accepts the answer in its many forms", () => assertJudged(gsm8k, RIGHT));

Deno.test("gsm8k.verify() refuses what only looks like the answer", () => assertJudged(gsm8k, WRONG));

Deno.test("gsm8k.verify() with method strict reads nothing but what follows ####", () => {
  assertJudged(gsm8k, [["#### 18", SOLVED, true], ["18", SOLVED, false], ["\\boxed{18}", SOLVED, false]], {
    method: "strict",
  });
});

Deno.test("gsm8k.verify() with a tolerance accepts a number that is near enough", () => {
  const cases: Case[] = [["#### 0.333", "#### 1/3", true], ["#### 0.33", "#### 1/3", false], [
    "#### 1001",
    "#### 1000",
    true,
  ]];
  assertJudged(gsm8k, cases, { tolerance: 1e-3 });
  assertJudged(gsm8k, cases.map(([text, answer]) => [text, answer, false]));
});

Deno.test("gsm8k.verify() refuses 42 factorial in a box and after ####; at the end of a sentence it is a shout", () => {
  assertJudged(gsm8k, [["#### 42!", "#### 42", false], ["\\boxed{42!}", "#### 42", false], [
    "The answer is 42!",
    "#### 42",
    true,
  ]]);
});

/** What two other programs take as the answer, after verl's gsm8k.py and the filters of lm-evaluation-harness's gsm8k.yaml. */
const OTHERS: Readonly<Record<string, (text: string) => string | undefined>> = {
  "verl strict": (text) => [...text.matchAll(/#### (-?[0-9.,]+)/g)].at(-1)?.[1],
  "verl flexible": (text) => text.match(/-?[0-9.,]+/g)?.filter((found) => found !== "" && found !== ".").at(-1),
  "lm-eval flexible": (text) => text.match(/-?[$0-9.,]{2,}|-?[0-9]+/g)?.at(-1),
};

Deno.test("gsm8k.verify() judges as a person does, more often than the last number would", async () => {
  const lines = (await Deno.readTextFile(new URL("word_answers.jsonl", import.meta.url))).trim().split("\n");
  const rows = lines.map((line) => JSON.parse(line) as [completion: string, answer: string, right: boolean]);
  const number = (text: string | undefined) => Number((text ?? "x").replaceAll(/[$,]/g, "").replace(/\.$/, ""));
  const share = (judge: (completion: string, answer: string) => boolean) =>
    rows.filter(([completion, answer, right]) => judge(completion, answer) === right).length / rows.length;
  const ours = share((completion, answer) => gsm8k.verify!(completion, { answer }, FLEXIBLE) as boolean);
  const shares = Object.entries(OTHERS).map(([name, taken]) => {
    const gold = (answer: string) => number(/-?[\d.,]+/.exec(answer.split("####").at(-1)!)?.[0]);
    return [name, share((completion, answer) => number(taken(completion)) === gold(answer))] as const;
  });
  assert(rows.length > 250);
  assert(ours >= 0.98, `${ours}`);
  for (const [name, theirs] of shares) assert(ours > theirs + 0.1, `${name}: ${theirs}`);
});

const FLEXIBLE = gsm8k.params.parse({}), STRICT = gsm8k.params.parse({ method: "strict" });

Deno.test("gsm8k.verify() ends soon on texts of 1 MB", () => {
  for (const text of LONG) {
    gsm8k.verify!(text, { answer: SOLVED }, FLEXIBLE);
    gsm8k.verify!(text, { answer: SOLVED }, STRICT);
  }
  assert.equal(gsm8k.verify!(`${LONG[0]}\n#### 18`, { answer: SOLVED }, FLEXIBLE), true);
});

Deno.test("gsm8k.problem() names answers without one number", () => {
  const problem = (answer: string) => gsm8k.problem(answer, gsm8k.params.parse({}), { answer });
  for (const answer of [SOLVED, "18", "#### 1,000", "\\boxed{3}", "so it makes 18 dollars"]) {
    assert.equal(problem(answer), null, answer);
  }
  for (const answer of ["", "none", "#### ", "#### x", "#### 1 or 2", "1e999", "\\boxed{x}", "3 or 4"]) {
    assert.match(problem(answer)!, /^has no single number after ####/, answer);
  }
});
