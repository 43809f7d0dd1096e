import assert from "node:assert/strict";
import { notebookCode } from "../../../../workflows/preflight/foreign/notebook_code.ts";

const notebook = (...cells: readonly object[]) => JSON.stringify({ cells }, null, 1);

Deno.test("notebookCode() puts each line of code on the line of the file that holds it, without commands of the shell", () => {
  const json = notebook(
    { cell_type: "markdown", source: ["a = 1\n"] },
    { cell_type: "code", source: ["!pip install trl\n", "a = 2\n", "b = 3"] },
    { cell_type: "code", source: ["a = 2\n"] },
  );
  const lines = json.split("\n"), code = notebookCode(json)!.split("\n");
  assert.equal(code.length, lines.length);
  const filled = code.flatMap((text, i) => text === "" ? [] : [[text, lines[i]!.trim().replace(/,$/, "")]]);
  assert.deepEqual(filled, [["a = 2", '"a = 2\\n"'], ["b = 3", '"b = 3"'], ["a = 2", '"a = 2\\n"']]);
});

Deno.test("notebookCode() gives nothing of what is no notebook, or has no code", () => {
  for (const text of ["", "{", "{}", '{"cells": 1}', notebook({ cell_type: "markdown", source: ["a = 1"] })]) {
    assert.equal(notebookCode(text), null, text);
  }
});
