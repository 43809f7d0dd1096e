import assert from "node:assert/strict";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { stepSites } from "../../../workflows/plan/sites.ts";
import { unreadNames } from "../../../workflows/plan/unread_names.ts";

/** `line: message` of every name that nothing reads. */
function unread(text: string): string[] {
  const { document, source } = parseWorkflow(`name: w\n${text}`, "w.yaml");
  return unreadNames(document, stepSites(document.steps)).map((problem) =>
    `${source.locate(problem)!.line}: ${problem.message}`
  );
}

Deno.test("unreadNames() names each parameter and axis that nothing looks up, and the step that has its own value", () => {
  const text = `params:
  group_size: 8
  rate: 0.1
strategy:
  matrix:
    size: [1, 2]
    rate: [3]
    include: [{ size: 1, extra: 2 }, { size: 2, extra: 3 }]
steps:
  - { uses: sample_groups, with: { group_size: 8, lr: "\${{ matrix.rate }}" } }
`;
  const told = unread(text);
  assert.deepEqual(told.map((line) => line.split(": it changes")[0]!.split(": a value")[0]), [
    '3: nothing reads parameter "group_size"',
    '4: nothing reads parameter "rate"',
    '7: nothing reads matrix axis "size"',
    '9: nothing reads matrix axis "extra"',
  ]);
  assert.match(told[0]!, /; write group_size: "\$\{\{ params\.group_size \}\}" in step "sample_groups", or remove it$/);
  assert.match(told[2]!, /; write "\$\{\{ matrix\.size \}\}" where it is meant, or remove it$/);
});

Deno.test("unreadNames() is silent on what a setting, a name, a count, a condition or a list looks up", () => {
  assert.deepEqual(
    unread(`params: { seed: 1, rounds: 2, much: true, goal: 0.5, words: [a], title: x }
strategy: { matrix: { a: [1, 2], b: [true, false], include: [{ a: 1, c: 3 }] } }
seed: \${{ params.seed }}
steps:
  - { uses: x, if: params.much, name: "on \${{ params.title }}", with: { all: [{ w: "\${{ params.words }}" }] } }
  - repeat: \${{ params.rounds }}
    until: params.goal > 0.4
    steps:
      - { uses: x, if: matrix.b, with: { a: "\${{ matrix.a }}", if: "\${{ matrix.c }}" } }
`),
    [],
  );
});
