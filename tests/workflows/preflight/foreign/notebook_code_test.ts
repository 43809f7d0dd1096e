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

const cells = [
  { cell_type: "code", source: "%%bash\nf(\n" },
  { source: "!pip install \\\n  a\na = f(\n  'é\\n')", metadata: { source: ["x"] }, cell_type: "code" },
  { cell_type: "code", source: ["b = 3\n"], outputs: [{ cell_type: "code", source: ["no"], data: [["no"]] }] },
];

Deno.test("notebookCode() reads cells whose source is one text, and JSON on one line, as lines of the code alone", () => {
  const code = ["", "", "", "", "a = f(", "  'é\\n')", "b = 3"];
  for (const indent of [0, 1]) assert.equal(notebookCode(JSON.stringify({ cells }, null, indent)), code.join("\n"));
  assert.equal(notebookCode(JSON.stringify({ cells: [{ cell_type: "code", source: "a = 1" }] })), "a = 1");
});

Deno.test("notebookCode() finds a line however its letters are written, and lines that are the same", () => {
  const json = notebook({ cell_type: "code", source: ["a = 'é'\n", "b = 1\n", "b = 1\n"] }).replace("é", "\\u00e9");
  assert.deepEqual(notebookCode(json)!.split("\n").filter(Boolean), ["a = 'é'", "b = 1", "b = 1"]);
  assert.equal(notebookCode(json)!.split("\n").length, json.split("\n").length);
});

Deno.test("notebookCode() keeps a Python file that a cell writes, and reads deep outputs in time that grows with them", () => {
  assert.equal(notebookCode(notebook({ cell_type: "code", source: ["%%writefile a.py\n", "a = 1"] }))?.trim(), "a = 1");
  assert.equal(notebookCode(notebook({ cell_type: "code", source: ["%%writefile a.sh\n", "a=1"] })), null);
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  assert.equal(notebookCode(`{"cells":[{"cell_type":"code","outputs":${deep},"source":"a = 1"}]}`), "a = 1");
});
