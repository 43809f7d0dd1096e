import assert from "node:assert/strict";
import { conditionsOf, decide, isConditionPath, valueTexts } from "../../../workflows/plan/conditions.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { issuesOf } from "../language/issues_of.ts";
import { planOne, withSteps } from "../planned.ts";
import { GOOD } from "../small_kinds.ts";

Deno.test("decide() answers what is known and keeps the rest", () => {
  assert.equal(decide("${{ matrix.x == 1 }}", { matrix: { x: 1 } }), true);
  for (const text of ["${{ steps.a.outputs.b == 1 }}", "false", "failure()"]) {
    assert.equal(decide(text, { matrix: { x: 1 } }), text);
  }
});

Deno.test("conditionsOf() lists if and until with their places", () => {
  const places = conditionsOf(parseWorkflow(GOOD, "a.yaml").document.steps).map(({ path }) => path.join("."));
  assert.deepEqual(places, ["steps.2.until", "steps.4.if"]);
  assert(places.every((place) => isConditionPath(place.split("."))));
});

Deno.test("valueTexts() lists what holds an expression and is no condition, also a parameter of that name", () => {
  const steps = '[{ uses: x, if: "${{ params.a }}", with: { if: "${{ params.b }}" } }]';
  const { document } = parseWorkflow(
    `{ name: a, seed: "\${{ params.c }}", params: { d: "\${{ e }}" }, steps: ${steps} }`,
    "a.yaml",
  );
  assert.deepEqual(valueTexts(document).map(({ text }) => text), ["${{ params.c }}", "${{ params.b }}"]);
});

for (
  const [what, condition, want] of [
    [
      "a number compared with a text",
      "params.size == 'x'",
      /^6:\d+ compares "params.size", a number, with "x", a text/,
    ],
    ["a number alone", "params.size", /"params.size" is a number, want true or false/],
    ["a text alone", "run.id", /"run.id" is a text/],
    ["a boolean alone", "params.quick", null],
    ["null for anything", "params.size == null", null],
    ["a number of the run", "run.train_step > 3", null],
  ] as const
) {
  Deno.test(`conditionProblems(): ${what}`, () => {
    const issues = issuesOf(() => planOne(withSteps(`  - { uses: evaluate, if: ${JSON.stringify(condition)} }\n`)));
    if (want === null) assert.deepEqual(issues, []);
    else assert.match(issues[0] ?? "accepted", want);
  });
}

Deno.test("conditionProblems() knows the types of a step's outputs", () => {
  const plan = (condition: string) =>
    issuesOf(() => planOne(withSteps(`  - { id: a, uses: evaluate }\n  - uses: report\n    if: ${condition}\n`)));
  assert.deepEqual(plan("steps.a.outputs.solved"), []);
  assert.deepEqual(plan("steps.a.outputs.sampled > 0.5"), []);
  assert.deepEqual(plan("steps.a.outputs.mode == 'greedy'"), []);
  assert.deepEqual(plan("steps.a.outputs.mode > 1"), [
    '8:9 compares "steps.a.outputs.mode", a text, with 1, a number',
  ]);
  assert.deepEqual(plan("steps.a.outputs.sampled"), [
    '8:9 "steps.a.outputs.sampled" is a number, want true or false; compare it with a literal',
  ]);
});

Deno.test("conditionProblems() knows the types of the matrix, run by run", () => {
  const plan = (condition: string) =>
    issuesOf(() =>
      planOne(withSteps(`  - uses: report\n    if: ${condition}\n`, "strategy: { matrix: { size: [2] } }\n"))
    );
  assert.deepEqual(plan("matrix.size == 2"), []);
  assert.deepEqual(plan("matrix.size == 'two'"), [
    '8:9 compares "matrix.size", a number, with "two", a text (in the run with size 2)',
  ]);
  assert.match(plan("matrix.size")[0]!, /"matrix.size" is a number, want true or false/);
});

Deno.test("conditionProblems() refuses until: always()", () => {
  assert.match(
    issuesOf(() => planOne(GOOD.replace(/until: .*/, "until: always()")))[0]!,
    /^7:12 "until" cannot use always\(\)/,
  );
});
