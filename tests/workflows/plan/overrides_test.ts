import assert from "node:assert/strict";
import { overrideParams, readAssignments } from "../../../workflows/plan/overrides.ts";
import { issuesOf } from "../language/issues_of.ts";

const DEFAULTS = { steps: 150, rate: 1e-4, name: "x", quick: false, sizes: [1, 2], words: ["a"] };

Deno.test("readAssignments() splits at the first =", () => {
  assert.deepEqual(readAssignments(["a=1", "b=x=y", "c="]), { a: "1", b: "x=y", c: "" });
  assert.deepEqual(issuesOf(() => readAssignments(["a"])), [' cannot read "a", want key=value']);
  assert.equal(issuesOf(() => readAssignments(["=1"])).length, 1);
  assert.deepEqual(issuesOf(() => readAssignments(["a=1", "a=2"])), [' "a" is given twice']);
});

for (
  const [key, text, want] of [
    ["steps", "3", 3],
    ["rate", "1e-5", 1e-5],
    ["steps", "-0.5", -0.5],
    ["name", "12", "12"],
    ["name", "", ""],
    ["quick", "true", true],
    ["quick", "false", false],
    ["sizes", "3,4", [3, 4]],
    ["sizes", "[5]", [5]],
    ["words", "b,c", ["b", "c"]],
    ["words", "", []],
  ] as const
) {
  Deno.test(`overrideParams() reads ${key}=${text} by the default's type`, () => {
    const given = overrideParams(DEFAULTS, { [key]: text });
    assert.deepEqual(given, { ...DEFAULTS, [key]: want });
  });
}

Deno.test("overrideParams() takes values of the right type as they are", () => {
  assert.deepEqual(overrideParams(DEFAULTS, { steps: 2, quick: true, sizes: [9] }).sizes, [9]);
});

for (
  const [given, want] of [
    [{ stps: "1" }, /unknown parameter "stps"; did you mean "steps"\?/],
    [{ steps: "many" }, /"steps" is "many", want a number like its default 150/],
    [{ steps: "" }, /"steps" is "", want a number/],
    [{ steps: "1e999" }, /want a number/],
    [{ steps: NaN }, /want a number/],
    [{ quick: "yes" }, /"quick" is "yes", want true or false like its default false/],
    [{ sizes: "1,x" }, /"sizes" is "x", want a number/],
    [{ sizes: "[1" }, /want a list such as/],
    [{ name: "${{ params.x }}" }, /"name" is an expression, want a value/],
    [{ steps: [1] }, /"steps" is a list, want a number/],
  ] as const
) {
  Deno.test(`overrideParams() refuses ${JSON.stringify(given)}`, () => {
    assert.match(issuesOf(() => overrideParams(DEFAULTS, given as Record<string, string>))[0] ?? "accepted", want);
  });
}

Deno.test("overrideParams() says so when there are no params at all", () => {
  assert.match(issuesOf(() => overrideParams({}, { a: "1" }))[0]!, /the workflow has no "params"/);
});
