import assert from "node:assert/strict";
import { wordProblems } from "../../../data/tasks/word_problems.ts";
import { evaluateExpression } from "../../../data/tasks/verifiers/expression.ts";
import { splitOf } from "../../../data/datasets/split.ts";
import { stored, testsOfEveryTask } from "./every_task.ts";

const rows = testsOfEveryTask("word_problems", 10_000);

/** What a story's numbers come to, in the order in which it tells them. */
const RESULTS: readonly (readonly [RegExp, (a: number, b: number, c: number) => number])[] = [
  [/^\w+ has (\d+) bags of (\d+) \w+ and (\d+) more\. How many in all\?\n$/, (a, b, c) => a * b + c],
  [/^\w+ has (\d+) bags of (\d+) \w+ and loses (\d+)\. How many are left\?\n$/, (a, b, c) => a * b - c],
  [/^\w+ has \$(\d+) and buys (\d+) \w+ at \$(\d+)\. How many \$ are left\?\n$/, (a, b, c) => a - b * c],
];

Deno.test("word_problems asks for what its story says, above 0, and every line of a solution is right", () => {
  const seen = new Set<number>();
  for (const { prompt, answer } of rows) {
    const kind = RESULTS.findIndex(([story]) => story.test(prompt)), [story, result] = RESULTS[kind]!;
    const [a, b, c] = story.exec(prompt)!.slice(1).map(Number);
    const [first, second, last, ...more] = answer.split("\n");
    for (const line of [first!, second!]) {
      const [left, right] = line.split("=");
      assert.equal(evaluateExpression(left!)?.numerator, BigInt(right!), `${prompt} ${line}`);
    }
    assert.equal(last, `#### ${result(a!, b!, c!)}`, prompt);
    assert(result(a!, b!, c!) > 0 && more.length === 0, prompt);
    seen.add(kind);
  }
  assert.equal(seen.size, RESULTS.length);
});

Deno.test("word_problems accepts the number however it is said, and another calculation's number not", () => {
  const row = rows.find(({ prompt }) => prompt.includes("loses"))!, right = row.answer.split("#### ")[1]!;
  for (const said of [right, `The answer is ${right}.`, `#### ${right}`, `so \\boxed{${right}}`]) {
    assert(wordProblems.verify(said, stored(row)), said);
  }
  for (const said of [`#### ${Number(right) + 1}`, `${right}1`, `#### ${right} or 3`, row.answer.split("\n")[0]!]) {
    assert(!wordProblems.verify(said, stored(row)), said);
  }
});

Deno.test("word_problems holds calculations out, not names: the same numbers in the same story share their split", () => {
  const fractions = { train: 0.8, validation: 0.1, held_out: 0.1 }, splits = new Map<string, string>();
  for (const { prompt, splitKey } of rows) {
    const numbers = prompt.replace(/^\w+/, "").replace(/\b(?:pens|nuts|pears|cards|stamps|books)\b/, "");
    const split = splitOf(splitKey!, fractions);
    assert.equal(splits.get(numbers) ?? split, split, prompt);
    splits.set(numbers, split);
  }
  assert(splits.size < rows.length / 1.2 && new Set(splits.values()).size === 3);
});

Deno.test("word_problems keeps factors and numbers within what is asked for", () => {
  for (const { answer } of wordProblems.rows(wordProblems.params.parse({ max_factor: 3, max_number: 4, count: 500 }))) {
    const [a, b] = answer.split("=")[0]!.split("*").map(Number), [, second] = answer.split("\n");
    const [left, right] = second!.split("=")[0]!.split(/[+-]/).map(Number);
    assert([a, b].every((factor) => factor! >= 2 && factor! <= 3), answer);
    assert([left, right].some((number) => number === a! * b!), answer);
    assert([left, right].every((number) => number! <= 3 * 3 + 4), answer);
  }
});
