import assert from "node:assert/strict";
import {
  codeOf,
  notebookText,
  parseNotebook,
  programOf,
  withOutputs,
} from "../../../workflows/explore/notebook_cells.ts";

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

Deno.test("programOf() moves imports to the head, behind what stands in for the kernel, and marks each cell", () => {
  assert.equal(
    programOf(NOTEBOOK, "/capture.ts", "/out.json"),
    `import { capture } from "/capture.ts";
import { x } from "./x.ts";
import {
  z,
} from "./z.ts";
await capture.begin(0);

const y = x;
;
await capture.begin(1);

await z(y);
;
await capture.end("/out.json");
`,
  );
  assert.equal(codeOf(NOTEBOOK).length, 2);
});

Deno.test("withOutputs() gives each code cell its number and what it showed", () => {
  const shown = { output_type: "display_data", data: { "text/plain": "x" }, metadata: {} };
  const { cells } = JSON.parse(notebookText(withOutputs(NOTEBOOK, [[shown]])));
  assert.deepEqual(cells.map((c: { execution_count?: number }) => c.execution_count), [undefined, 1, 2]);
  assert.deepEqual(cells[1].outputs, [shown]);
  assert.deepEqual(cells[2].outputs, []);
});

Deno.test("parseNotebook() refuses what is no notebook", () => {
  for (const text of ["{}", "no", '{"nbformat": 3, "cells": []}']) {
    assert.throws(() => parseNotebook(text, "n.ipynb"), /Cannot read n\.ipynb as a Jupyter notebook of format 4/);
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
