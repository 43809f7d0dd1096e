import assert from "node:assert/strict";
import { field, wrappedFigures } from "../../../workflows/doctor/field.ts";

Deno.test("field() puts the label before the first line, and wraps beside it", () => {
  const out = { columns: 60, style: (text: string) => text };
  const lines = field("Do", "some words ".repeat(12).trim(), out);
  assert.match(lines[0]!, /^ {2}Do {8}some words/);
  assert.match(lines[1]!, /^ {12}\w/);
  for (const line of lines) assert(line.length <= 60, line);
});

Deno.test("wrappedFigures() keeps a number and its unit on one line", () => {
  assert.deepEqual(wrappedFigures("it fell to 29.3 % in 5.7 h", 13), ["it fell to", "29.3 % in", "5.7 h"]);
  assert.deepEqual(wrappedFigures("8 hours went", 7), ["8 hours", "went"]);
});
