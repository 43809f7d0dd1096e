import assert from "node:assert/strict";
import { fullMatcher, patternProblem } from "../../data/python_pattern.ts";

Deno.test("fullMatcher() matches the whole text, by Python's spelling too", () => {
  const cases: [string, string, boolean][] = [
    [String.raw`.*\.q_proj`, "model.layers.0.q_proj", true],
    [String.raw`.*\.q_proj`, "model.layers.0.q_proj_x", false],
    ["q|k_proj", "k_proj", true],
    ["q|k_proj", "q_proj", false],
    ["(?P<kind>q|k)_proj", "k_proj", true],
    [String.raw`\Aq_proj\Z`, "q_proj", true],
    ["a{,2}", "aa", true],
    ["a{,2}", "aaa", false],
    ["^(?!.*vision).*(?:q|k)_proj$", "model.q_proj", true],
    ["^(?!.*vision).*(?:q|k)_proj$", "vision.q_proj", false],
  ];
  for (const [pattern, text, want] of cases) assert.equal(fullMatcher(pattern)(text), want, `${pattern} ${text}`);
});

Deno.test("patternProblem() refuses what may never end, and what JavaScript does not know", () => {
  const refused: [string, RegExp][] = [
    ["(a+)+b", /repeats a group that repeats or chooses/],
    ["(.|.)*x", /repeats a group that repeats or chooses/],
    [".*.*.*.*.*x", /repeats more than 4 times/],
    [`${".?".repeat(20)}#`, /can be taken in more than 4096 ways/],
    [`${"(?:.|..)".repeat(20)}#`, /can be taken in more than 4096 ways/],
    [`${"(?:a|a)".repeat(20)}#`, /can be taken in more than 4096 ways/],
    [`${"a{0,1}".repeat(20)}#`, /it repeats more than 4 times/],
    ["(q", /it is no regular expression/],
    [String.raw`(q)\1`, /it refers back to a group/],
    ["(?P<a>q)(?P=a)", /it refers back to a group/],
    ["(?i)q", /^\(\?i\) is not supported|\(\?i/],
    ["(?>q)", /is not supported/],
    ["x".repeat(500), /it has 500 characters/],
  ];
  for (const [pattern, why] of refused) {
    assert.match(patternProblem(pattern) ?? "", why, pattern);
    assert.throws(() => fullMatcher(pattern), why);
  }
  // What Unsloth writes: each of its two alternatives repeats four times at most.
  const unsloth = String.raw`(?:.*?(?:language|text).*?(?:self_attn|mlp).*?(?:k_proj|v_proj).*?)|(?:\bmodel\.layers\.` +
    String.raw`[\d]{1,}\.(?:self_attn|mlp)\.(?:(?:k_proj|v_proj)))`;
  assert.equal(patternProblem(unsloth), null);
  assert(fullMatcher(unsloth)("model.layers.11.self_attn.k_proj"));
});
