import assert from "node:assert/strict";
import { openQuote, shellLines } from "../../../../workflows/preflight/foreign/shell_lines.ts";

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

const OPEN: readonly (readonly [text: string, line: number | null])[] = [
  ['a=1\npython x.py --a "b\n--c 1', 2],
  ["echo 'a\nb", 1],
  ['a="$(dirname "it\'s")"\nb=\'x\'', null],
  ['a="$(echo \'(\' "b)" (c))"', null],
  ["a=$'it\\'s'\nb=1", null],
  ["echo it\\'s # don't\n# it's", null],
  ["cat <<'EOF'\nit's\nEOF", null],
  ["read -r -d '' a <<EOF\nit's\nEOF", null],
  ["sed -e 's/\"//' -e \"s/'//\"", null],
  ["a='it'\\''s'", null],
];

for (const [text, line] of OPEN) {
  Deno.test(`openQuote() of ${JSON.stringify(text)} is ${line}`, () => assert.equal(openQuote(text), line));
}
