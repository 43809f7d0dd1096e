import assert from "node:assert/strict";
import { issuesOf } from "../language/issues_of.ts";
import { planAll, withSteps } from "../planned.ts";
import { GOOD } from "../small_kinds.ts";

function issues(steps: string, head = ""): string[] {
  return issuesOf(() => planAll(withSteps(steps, head))).map((issue) => issue.replace(/(; known:|;? ?Known).*/, "…"));
}

Deno.test("referenceProblems() is silent for a good workflow", () =>
  assert.deepEqual(issuesOf(() => planAll(GOOD)), []));

Deno.test("referenceProblems() points at the look-up inside a text", () => {
  const step = '  - { uses: load_model, with: { model: "m-${{ params.szie }}" } }\n';
  assert.deepEqual(issues(step), ['6:47 unknown parameter "szie"; did you mean "size"?…']);
});

for (
  const [what, steps, want] of [
    ["an unknown step", "  - { uses: report, if: steps.bfore.outputs.sampled > 1 }\n", 'unknown step "bfore"'],
    [
      "an unknown output",
      "  - { id: a, uses: evaluate }\n  - { uses: report, if: steps.a.outputs.smapled > 1 }\n",
      'step "a" has no output "smapled"; did you mean "sampled"?',
    ],
    [
      "a step that comes later",
      "  - { uses: report, if: steps.a.outputs.sampled > 1 }\n  - { id: a, uses: evaluate }\n",
      "looks up a step that has not run by then; it stands later",
    ],
    ["the step itself", "  - { id: a, uses: evaluate, if: steps.a.outputs.sampled > 1 }\n", "it stands here"],
    [
      "until after the block",
      "  - { repeat: 2, until: steps.a.outputs.sampled > 1, steps: [{ uses: report }] }\n  - { id: a, uses: evaluate }\n",
      "looks up a step that runs after this block",
    ],
    ["a matrix that is not there", "  - { uses: report, if: matrix.x == 1 }\n", '"matrix.x" needs a "strategy.matrix"'],
    ["an unknown value of the run", "  - { uses: report, if: run.step > 1 }\n", 'unknown value of the run "step"'],
    [
      "a count from a step",
      "  - { id: a, uses: evaluate }\n  - { repeat: '${{ steps.a.outputs.sampled }}', steps: [{ uses: report }] }\n",
      'known only during the run; "repeat" can look up params and matrix',
    ],
    ["a broken expression", "  - { uses: report, if: 'params.size >' }\n", 'nothing after ">"'],
  ] as const
) {
  Deno.test(`referenceProblems() refuses ${what}`, () => {
    const found = issues(steps);
    assert.equal(found.length, 1, found.join("\n"));
    assert(found[0]!.includes(want), found[0]);
  });
}

Deno.test("referenceProblems() lets a condition look up a later step of the same block: it ran in the round before", () => {
  const block = (inner: string) => `  - repeat: 3\n    steps:\n${inner}      - { id: a, uses: evaluate }\n`;
  assert.deepEqual(issues(block("      - { uses: report, if: steps.a.outputs.sampled > 1 }\n")), []);
  const value = block("      - { uses: load_model, with: { model: '${{ steps.a.outputs.mode }}' } }\n");
  assert.match(issues(value)[0]!, /has not run by then/);
});

Deno.test("referenceProblems() lets until look up steps inside and before its block", () => {
  const text =
    "  - { id: a, uses: evaluate }\n  - { repeat: 2, until: steps.a.outputs.sampled > 1, steps: [{ uses: report }] }\n";
  assert.deepEqual(issues(text), []);
});

Deno.test("referenceProblems() refuses expressions where values stand", () => {
  assert.deepEqual(
    issuesOf(() => planAll("name: a\nparams: { x: '${{ params.y }}', y: 1 }\nsteps: [{ uses: report }]\n")),
    [
      '2:15 "params" holds values, no expressions',
    ],
  );
});

Deno.test("referenceProblems() finds settings that look up the matrix", () => {
  assert.deepEqual(issues("", "seed: ${{ matrix.sed }}\nstrategy: { matrix: { seed: [1, 2] } }\n"), [
    '3:11 unknown matrix axis "sed"; did you mean "seed"?…',
  ]);
});
