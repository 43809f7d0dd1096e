import assert from "node:assert/strict";
import { indentMistake } from "../../../workflows/language/yaml_indent.ts";

const HEAD = "steps:\n  - repeat: 3\n    steps:\n      - uses: a\n        with:\n          p: 8\n";

/** What is said when the last line is wrong and the parser stops at its beginning. */
function said(line: string): string | null {
  const found = indentMistake(HEAD + line, HEAD.length);
  if (found !== null) assert.equal(found.at, HEAD.length + line.search(/\S/));
  return found?.message ?? null;
}

Deno.test("indentMistake() names the nearest column of keys for a key, of items for an item", () => {
  assert.equal(said("         g: 4\n"), "this line is indented by 9 spaces, want 8 (as line 5) or 10 (as line 6)");
  assert.equal(said("       with: 4\n"), "this line is indented by 7 spaces, want 8 (as line 5)");
  assert.equal(said("     - uses: b\n"), "this line is indented by 5 spaces, want 6 (as line 4)");
  assert.equal(said("- uses: b\n"), "this line is indented by 0 spaces, want 2 (as line 2)");
});

Deno.test("indentMistake() looks at the next line where the parser stopped inside one, over comments", () => {
  const text = `${HEAD}  # here\n\n  x: 1\n`, found = indentMistake(text, HEAD.length - 2)!;
  assert.equal(found.message, "this line is indented by 2 spaces, want 0 (as line 1) or 4 (as line 3)");
  assert.equal(text.slice(found.at), "x: 1\n");
});

Deno.test("indentMistake() says nothing of a line that is deeper than all, or stands in a column", () => {
  assert.equal(said("            g: 4\n"), null);
  assert.equal(said("        g: 4\n"), null);
  assert.equal(indentMistake("a: 1", 4), null);
});
