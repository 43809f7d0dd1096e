import assert from "node:assert/strict";
import { shellLines } from "../../../../workflows/preflight/foreign/shell_lines.ts";

const CASES: readonly (readonly [what: string, text: string, lines: readonly string[]])[] = [
  ["plain lines and a comment with an apostrophe", "a=1\n# it's\nb=2", ["a=1", "# it's", "b=2"]],
  ["a program in quotes", 'python -c "\nx = 1\n"\na = 2', ['python -c "', "", "", "a = 2"]],
  ["a here-document", "cat <<EOF > a.py\nx = 1\nEOF\na=2", ["cat <<EOF > a.py", "", "", "a=2"]],
  ["options that read takes", "read -r -d '' c <<EOF\n--a 1 \\\n--b 2\nEOF", [
    "read -r -d '' c <<EOF",
    "--a 1 \\",
    "--b 2",
    "EOF",
  ]],
  ["quotes in quotes, and escaped", 'echo "it\'s \\" " # \'\na=1', ['echo "it\'s \\" " # \'', "a=1"]],
];

for (const [what, text, lines] of CASES) {
  Deno.test(`shellLines() keeps to what the shell reads: ${what}`, () => assert.deepEqual(shellLines(text), lines));
}
