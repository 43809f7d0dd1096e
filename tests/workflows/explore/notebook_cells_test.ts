import assert from "node:assert/strict";
import { codeOf, notebookText, parseNotebook, withOutputs } from "../../../workflows/explore/notebook_cells.ts";

const cell = (cell_type: string, source: string | string[]) => ({ cell_type, id: "a", source, metadata: {} });
const NOTEBOOK = parseNotebook(
  JSON.stringify({
    nbformat: 4,
    cells: [
      cell("markdown", "# a"),
      cell("code", ['import { x } from "./x.ts";\n', "const y = x;"]),
      cell("code", 'import {\n  z,\n} from "./z.ts"\nawait z(y);'),
    ],
  }),
  "n.ipynb",
);

Deno.test("codeOf() gives the code cells alone", () => assert.equal(codeOf(NOTEBOOK).length, 2));

Deno.test("withOutputs() gives each code cell that ran its number and what it showed", () => {
  const shown = { output_type: "display_data", data: { "text/plain": "x" }, metadata: {} };
  const { cells } = JSON.parse(notebookText(withOutputs(NOTEBOOK, [[shown]])));
  assert.deepEqual(cells.map((c: { execution_count?: number }) => c.execution_count), [undefined, 1, null]);
  assert.deepEqual(cells[1].outputs, [shown]);
  assert.deepEqual(cells[2].outputs, []);
  const run = withOutputs(NOTEBOOK, [[shown], [shown]]), failed = JSON.parse(notebookText(withOutputs(run, [[]])));
  assert.deepEqual(failed.cells[1].outputs, []);
  assert.deepEqual(
    [failed.cells[2].outputs, failed.cells[2].execution_count],
    [[shown], 2],
    "what did not run is kept",
  );
});

const kernel = (kernelspec: object) => JSON.stringify({ nbformat: 4, cells: [], metadata: { kernelspec } });

for (
  const [text, problem] of [
    ["no", /it is no JSON \(/],
    ["[]", /want nbformat 4 and cells/],
    ["{}", /"nbformat": .*; want nbformat 4 and cells/],
    [
      '{"nbformat": 3, "worksheets": []}',
      /it is of format 3, want 4; convert it: jupyter nbconvert --to notebook n\.ipynb/,
    ],
    ['{"nbformat": 4}', /"cells": .*; want nbformat 4 and cells/],
    ['{"nbformat": 4, "cells": [{"cell_type": "code"}]}', /"cells\.0\.source": /],
    [kernel({ name: "python3", language: "python" }), /its cells are python, want TypeScript of Deno's kernel/],
  ] as const
) {
  Deno.test(`parseNotebook() refuses what is no notebook of ours, and says why: ${text}`, () => {
    assert.throws(
      () => parseNotebook(text, "n.ipynb"),
      (error: unknown) =>
        error instanceof SyntaxError && error.message.startsWith("Cannot read n.ipynb as a Jupyter notebook: ") &&
        problem.test(error.message),
    );
  });
}

Deno.test("parseNotebook() takes Deno's kernel, and a notebook that names none", () => {
  for (const text of [kernel({ name: "deno", language: "typescript" }), '{"nbformat": 4, "cells": []}']) {
    assert.deepEqual(codeOf(parseNotebook(text, "n.ipynb")), []);
  }
});

Deno.test("parseNotebook() reads notebooks of before cells had ids", () => {
  const old = {
    nbformat: 4,
    nbformat_minor: 4,
    cells: [{ cell_type: "code", source: "1;", metadata: {}, outputs: [] }],
  };
  assert.deepEqual(codeOf(parseNotebook(JSON.stringify(old), "n.ipynb")), ["1;"]);
});
