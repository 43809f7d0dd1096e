import assert from "node:assert/strict";
import { compiledPattern } from "../../../../data/hub/tokenizer/pattern.ts";
import { patternProblem } from "../../../../data/hub/tokenizer/pattern_cost.ts";

/** Of published tokenizers. */
const REAL: Readonly<Record<string, string>> = {
  "GPT-2": "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
  "Qwen2":
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|" +
    "\\s+(?!\\S)|\\s+",
  "Llama 3": "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|" +
    "\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
  "Tekken": "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+|" +
    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*|\\p{N}|" +
    " ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
  "o200k": "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+" +
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
  "cl100k, possessive":
    "'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++|\\p{N}{1,3}+| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*+|" +
    "\\s++$|\\s*[\\r\\n]|\\s+(?!\\S)|\\s",
  "DeepSeek's words":
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+|" +
    " ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
  "DeepSeek's ideographs": "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
  "DeepSeek Coder's end": "\\s+$",
  "BLOOM": " ?[^(\\s|[.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c])]+",
  "Falcon": "[0-9][0-9][0-9]",
  "SuperBPE": "(?=(\\d{3})+(?!\\d))",
  "digits from the right": "\\p{N}{1,3}(?=(?:\\p{N}{3})*\\b)",
  "white space of XLM-R": " {2,}",
  "letters with marks": "[^\\r\\n\\p{L}\\p{N}]?(?:\\p{L}\\p{M}*)+|\\s+",
};

for (const [name, Regex] of Object.entries(REAL)) {
  Deno.test(`compiledPattern() takes the expression of ${name}`, () => {
    assert.ok(compiledPattern({ Regex }, "x") instanceof RegExp);
  });
}

/** Expressions that would never end on some text, each with the power that is refused. */
const ENDLESS: readonly string[] = [
  "(a+)+$",
  "(a*)*b",
  "(?:a|a)+b",
  "(?:a|aa)+(?!a)",
  "(?:a?){30}b",
  "(a+){2,}b",
  "([ab]+c?)+d",
  "(?:(?:x+)y?)*z",
  "(?=(a+)+b)",
  "(?<!b(a+)+)c",
  "(?<=b(?:(a+))+)c",
  "x|(\\w+)+$",
  "a*a*b",
  ".*.*.*=",
  "(?:.*)(?:.*?)=",
  "\\s+\\s+(?!\\S)",
  "a{0,500}a{0,500}b",
  `${"a?".repeat(20)}${"a".repeat(20)}`,
  `${"(?:a|b|[ab])".repeat(9)}c`,
  "(a+)\\1",
  "(?<name>a+)\\k<name>",
];

for (const Regex of ENDLESS) {
  Deno.test(`compiledPattern() refuses ${Regex.slice(0, 40)}`, () => {
    assert.throws(() => compiledPattern({ Regex }, "pre_tokenizer.pattern"), {
      name: "RangeError",
      message: /^pre_tokenizer\.pattern is ".*": it .*; want a tokenizer without it$/,
    });
  });
}

Deno.test("patternProblem() says which of the shapes it is", () => {
  assert.match(patternProblem("(a+)+b")!, /^it repeats what itself repeats or chooses/);
  assert.match(patternProblem("a*a*b")!, /^it repeats 2 times in a row before what may fail/);
  assert.match(
    patternProblem(`${"a?".repeat(10)}b`)!,
    /^it can be tried in 1024 ways at each place, want at most 1000/,
  );
  assert.equal(patternProblem("(a)\\1"), "it refers back to a group");
  assert.equal(patternProblem("[\\1]"), "it refers back to a group");
});

Deno.test("patternProblem() is silent where nothing can fail any more, on escapes and on classes", () => {
  for (
    const source of [
      "(?:a|b)+",
      "a*b*c*",
      "\\(a+\\)+",
      "[(a+)+]+b",
      "a+?",
      "(?<!(a+)+b)c",
      "\\p{L}+x",
      "\\u{41}{2}b",
      "(?:ab){2,9}c",
    ]
  ) {
    assert.equal(patternProblem(source), null, source);
  }
});

Deno.test("compiledPattern() takes any text letter by letter, also one that looks like an endless expression", () => {
  assert.equal("x(a+)+$".replace(compiledPattern({ String: "(a+)+$" }, "x"), ""), "x");
});
