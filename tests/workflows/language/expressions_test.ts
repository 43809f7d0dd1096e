import assert from "node:assert/strict";
import { parseCondition } from "../../../workflows/language/expression_syntax.ts";
import {
  evaluateCondition,
  expressionTexts,
  find,
  lookUpOf,
  lookUpsOf,
  type Scope,
  substitute,
} from "../../../workflows/language/expressions.ts";

const SCOPE: Scope = {
  params: { rounds: 150, rate: 1e-4, name: "x", quick: false, tags: ["a", "b"] },
  matrix: { seed: 3 },
  steps: { before: { sampled: 0.5, solved: true, mode: "greedy", none: null, nan: NaN } },
  run: { id: "r1", seed: 7, train_step: 0 },
};

for (
  const [text, want] of [
    ["${{ params.rounds }}", 150],
    ["${{params.rate}}", 1e-4],
    ["  ${{ params.quick }} ", false],
    ["${{ params.tags }}", ["a", "b"]],
    ["${{ matrix.seed }}", 3],
    ["${{ steps.before.outputs.none }}", null],
    ["${{ run.id }}", "r1"],
    ["n=${{ params.rounds }}, ${{ matrix.seed }}!", "n=150, 3!"],
    ["rate ${{ params.rate }}", "rate 0.0001"],
    ["no expression { }", "no expression { }"],
  ] as const
) {
  Deno.test(`substitute() answers ${JSON.stringify(text)} with its type`, () =>
    assert.deepEqual(substitute(text, SCOPE), want));
}

Deno.test("substitute() goes into lists and keys and leaves what the scope cannot answer as written", () => {
  const value = {
    a: ["${{ params.rounds }}", { b: "${{ steps.later.outputs.x }}" }],
    c: "${{ params.name }}-${{ run.id }}",
    d: 1,
  };
  assert.deepEqual(substitute(value, { params: SCOPE.params! }), {
    a: [150, { b: "${{ steps.later.outputs.x }}" }],
    c: "x-${{ run.id }}",
    d: 1,
  });
});

Deno.test("substitute() does not read what it has put in", () => {
  const scope: Scope = { steps: { a: { x: "${{ params.rounds }}" } } };
  assert.equal(substitute("${{ steps.a.outputs.x }}", scope), "${{ params.rounds }}");
});

Deno.test("substitute() refuses a list inside a text", () => {
  assert.throws(() => substitute("x ${{ params.tags }}", SCOPE), /"params.tags" is a list/);
});

Deno.test("find() does not reach the prototype", () => {
  assert.equal(find(lookUpsOf("${{ params.constructor }}")[0]!, SCOPE), undefined);
  assert.equal(find(lookUpsOf("${{ steps.toString.outputs.name }}")[0]!, SCOPE), undefined);
});

Deno.test("expressionTexts() finds texts with their paths", () => {
  assert.deepEqual(expressionTexts({ a: [1, "${{ params.x }}"], b: "plain" }, ["with"]), [
    { path: ["with", "a", 1], text: "${{ params.x }}" },
  ]);
});

for (
  const [text, want] of [
    ["steps.before.outputs.sampled >= 0.5", true],
    ["${{ steps.before.outputs.sampled > 0.5 }}", false],
    ["steps.before.outputs.sampled<0.6", true],
    ["steps.before.outputs.sampled < 0.5", false],
    ["steps.before.outputs.sampled <= 0.5", true],
    ["steps.before.outputs.sampled <= -1e-3", false],
    ["steps.before.outputs.mode == 'greedy'", true],
    ['steps.before.outputs.mode != "greedy"', false],
    ["steps.before.outputs.none == null", true],
    ["steps.before.outputs.none < 1", false],
    ["steps.before.outputs.nan >= 0", false],
    ["steps.before.outputs.solved", true],
    ["steps.before.outputs.mode", false],
    ["params.quick", false],
    ["steps.before.outputs.solved == false", false],
    ["steps.later.outputs.sampled >= 0", false],
    ["steps.later.outputs.sampled != 0", false],
    ["steps.later.outputs.solved", false],
    ["params.quick == false", true],
    ["params.rounds == 150", true],
    ["matrix.seed != 3", false],
    ["always()", true],
    ["${{ always() }}", true],
    ["failure()", false],
    ["true", true],
    ["false", false],
    [false, false],
  ] as const
) {
  Deno.test(`evaluateCondition() of ${JSON.stringify(text)} is ${want}`, () => {
    assert.equal(evaluateCondition(parseCondition(text), { ...SCOPE, failed: false }), want);
  });
}

Deno.test("evaluateCondition() after a failure holds for always() and failure() only", () => {
  const after = (text: string) => evaluateCondition(parseCondition(text), { ...SCOPE, failed: true });
  assert.deepEqual([after("always()"), after("failure()"), after("true"), after("params.rounds == 150")], [
    true,
    true,
    false,
    false,
  ]);
  assert.equal(evaluateCondition(null, { failed: true }), false);
  assert.equal(evaluateCondition(null, { failed: false }), true);
});

Deno.test("lookUpOf() gives the look-up of a comparison and null for always()", () => {
  assert.equal(lookUpOf(parseCondition("params.a > 1"))?.name, "a");
  assert.equal(lookUpOf(parseCondition("always()")), null);
});
