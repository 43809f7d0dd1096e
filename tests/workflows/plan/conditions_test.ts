import assert from "node:assert/strict";
import { z } from "zod";
import { conditionsOf, outputsOf, readCondition } from "../../../workflows/plan/conditions.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { issuesOf } from "../language/issues_of.ts";
import { planOne, withSteps } from "../planned.ts";
import { GOOD, SMALL_KINDS } from "../small_kinds.ts";

Deno.test("readCondition() decides what is known and keeps the rest", () => {
  assert.deepEqual(readCondition("${{ matrix.x == 1 }}", { matrix: { x: 1 } }), {
    condition: { kind: "constant", value: true },
    text: true,
  });
  const later = "${{ steps.a.outputs.b == 1 }}";
  assert.equal(readCondition(later, { matrix: { x: 1 } }).text, later);
});

Deno.test("conditionsOf() lists if and until with their places", () => {
  const places = conditionsOf(parseWorkflow(GOOD, "a.yaml").document.steps).map(({ path }) => path.join("."));
  assert.deepEqual(places, ["steps.2.until", "steps.4.if"]);
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

Deno.test("outputsOf() knows names and types, and whether there may be others", () => {
  const { types, open } = outputsOf(SMALL_KINDS.evaluate);
  assert.deepEqual([...types].map(([name, set]) => [name, [...set!]]), [["sampled", ["number"]], ["solved", [
    "boolean",
  ]], ["mode", ["string"]]]);
  assert.equal(open, false);
  assert.equal(outputsOf({ ...SMALL_KINDS.evaluate, outputs: z.record(z.string(), z.number()) }).open, true);
  const integer = outputsOf({ ...SMALL_KINDS.evaluate, outputs: z.object({ a: z.int().nullable() }) });
  assert.equal(integer.open, false);
  assert.deepEqual([...integer.types.get("a")!], ["number"]);
});
