import assert from "node:assert/strict";
import type { Variables } from "../../../workflows/translate/shell_expansion.ts";
import { shellCommands } from "../../../workflows/translate/shell_words.ts";

const texts = (script: string, variables?: Variables) =>
  shellCommands(script, variables).map((command) => command.map(({ text }) => text));

Deno.test("shellCommands() cuts at newlines and signs, joins continued lines, drops comments and redirections", () => {
  assert.deepEqual(texts("# first\na b \\\n  --c=1 # note\nd && e | tee log.txt > out 2>&1; f"), [
    ["a", "b", "--c=1"],
    ["d"],
    ["e"],
    ["tee", "log.txt"],
    ["f"],
  ]);
});

Deno.test("shellCommands() reads quotes and fills in variables, with their defaults", () => {
  const script =
    `export A=1 B="x y"\nN=\${N:-4}\npython t.py --a $A --b "$B" --c '$A' --n=$N --d \${D:-a/\${A}} --e $((N * 2)) --f $UNSET`;
  assert.deepEqual(texts(script), [
    ["python", "t.py", "--a", "1", "--b", "x y", "--c", "$A", "--n=4", "--d", "a/1", "--e", "8", "--f", "$UNSET"],
  ]);
  const [command] = shellCommands(script);
  assert.deepEqual(command!.filter(({ unknown }) => unknown).map(({ text }) => text), ["$UNSET"]);
});

Deno.test("shellCommands() cuts what it fills in at blanks, and the output of a program nowhere", () => {
  const script = 'ROOT="$( cd "$( dirname "$0" )/.." && pwd )"\nMORE="--x 1 --y 2"\nrun --out ${ROOT}/out $MORE';
  const words = texts(script).at(-1)!;
  assert.deepEqual([words.length, words[1], ...words.slice(3)], [7, "--out", "--x", "1", "--y", "2"]);
  assert(words[2]!.startsWith("$(") && words[2]!.endsWith(")/out"), words[2]);
});

Deno.test("shellCommands() spreads lists and here-documents, and keeps the lines of words", () => {
  const script =
    'ARGS=(--a 1\n  --b "2 3")\nread -r -d "" text <<EOF\nmod \\\n  --x 1\nEOF\nif [[ $1 ]]; then\n  run --module $text "${ARGS[@]}" "$@"\nfi';
  const commands = shellCommands(script), run = commands.find(([first]) => first!.text === "run")!;
  assert.deepEqual(run.map(({ text }) => text), ["run", "--module", "mod", "--x", "1", "--a", "1", "--b", "2 3"]);
  assert.equal(run[0]!.line, 8);
});

Deno.test("shellCommands() ends on what is broken", () => {
  for (
    const text of ['a "open', "a 'open", "a ${open", "a $(open", "x=(", "a <<EOF", "`", "a \\", "((((", "$", "\u0001>"]
  ) {
    assert(Array.isArray(shellCommands(text)), text);
  }
});
