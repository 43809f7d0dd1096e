import assert from "node:assert/strict";
import { IDIOMS } from "../../../../../data/adapters/post/words/idioms.ts";
import { alternativesOf } from "../../../../../data/adapters/post/words/literals.ts";
import type { Words } from "../../../../../data/adapters/post/words/match.ts";
import { PREDICATES } from "../../../../../data/adapters/post/words/predicates.ts";
import * as STANCE from "../../../../../data/adapters/post/words/stance.ts";
import { SUBJECTS } from "../../../../../data/adapters/post/words/subjects.ts";

const needsOf = (pattern: string) =>
  alternativesOf(pattern).map(({ needs }) => needs.map((choice) => choice.join("|")));

Deno.test("alternativesOf() splits an expression at its own bars alone", () => {
  const sources = (pattern: string) => alternativesOf(pattern).map(({ source }) => source);
  assert.deepEqual(sources("a|b(?:c|d)|[|]e|\\||f"), ["a", "b(?:c|d)", "[|]e", "\\|", "f"]);
  assert.deepEqual(sources("(?<![a|])x(?=y|z)"), ["(?<![a|])x(?=y|z)"]);
  assert.deepEqual(sources(""), [""]);
});

/** A need as its texts with bars between them. */
const NEEDS: readonly (readonly [pattern: string, ...alternatives: (readonly string[])[]])[] = [
  ["loss", ["loss"]],
  ["goes (?:up|down)", ["goes up|goes down"]],
  ["rewards?", ["reward"]],
  ["n[eé]gativ\\w+", ["negativ|négativ"]],
  ["reward\\w* (?:is|stays) zero", ["reward", " is zero| stays zero"]],
  ["(?:very )?low", ["low"]],
  ["(?:so )+low", ["low", "so "]],
  ["(?:very )*low", ["low"]],
  ["zero{2,}y", ["zer", "oo", "y"]],
  ["[a-z]{0,3}kl\\b", ["kl"]],
  ["(?<!no )loss(?! of)", ["loss"]],
  ["损失|loss?", ["损失"], ["los"]],
  ["(?:a|\\d)b", ["b"]],
  ["(?:ab|cd\\d+) e", ["ab|cd", " e"]],
  ["\\.grad\\u0041", [".gradA"]],
  ["\\w+|\\p{L}|.|[^a]|(?:x)?|", [], [], [], [], [], []],
  ["\\d+%", ["%"]],
  ["(ab)\\1(?i:b)c", ["ab", "c"]],
  ["(?:one|two) (?:three|four) (?:five|six)", ["one four |two four |one three |two three ", "six|five"]],
];
for (const [pattern, ...needs] of NEEDS) {
  Deno.test(`alternativesOf() asks for ${JSON.stringify(needs)} of ${pattern}`, () =>
    assert.deepEqual(needsOf(pattern), needs));
}

const LISTS: readonly Words[] = [
  ...IDIOMS,
  ...Object.values<Words>(SUBJECTS),
  ...Object.values<Words>(PREDICATES),
  ...Object.values(STANCE).map(([words, signs]) => ({ words, signs })),
];

Deno.test("each word list is an expression, as are its alternatives one by one", () => {
  for (const pattern of LISTS.flatMap(({ words, signs = "" }) => [words, signs])) {
    const alternatives = alternativesOf(pattern);
    assert.equal(alternatives.map(({ source }) => source).join("|"), pattern);
    for (const { source } of alternatives) assert.doesNotThrow(() => new RegExp(source, "u"), source);
  }
});

Deno.test("each alternative of the word lists asks for something: none is looked for in every text", () => {
  const idle = LISTS.flatMap(({ words, signs = "(?!)" }) => alternativesOf(`${words}|${signs}`)).filter((
    { needs, source },
  ) => needs.length === 0 && source !== "(?!)" && source !== "");
  assert.deepEqual(idle, []);
});

Deno.test("alternativesOf() gives for a group that it knows what it gave at first", () => {
  const known = new Map(), group = "(?:the reward|the loss|the entropy|the divergence)";
  const first = alternativesOf(`${group} falls`, known);
  assert.deepEqual(alternativesOf(`${group} falls`, known), first);
  assert.deepEqual(alternativesOf(`${group}? falls`, known).map(({ needs }) => needs), [[[" falls"]]]);
});

Deno.test("alternativesOf() reads long and broken expressions to their end", () => {
  assert.equal(alternativesOf("(?:a".repeat(1e5)).length, 1);
  assert.equal(alternativesOf("a)b)c").length, 3);
  assert.equal(alternativesOf("a|".repeat(1e5)).length, 1e5 + 1);
});

Deno.test("alternativesOf() finds the end of a group that stands too deep to be followed", () => {
  const deep = `${"(?:".repeat(200)}a[)]\\)|${")".repeat(200)}`;
  assert.deepEqual(alternativesOf(`${deep}x|y`).map(({ source, needs }) => [source, needs]), [
    [`${deep}x`, [["x"]]],
    ["y", [["y"]]],
  ]);
});
