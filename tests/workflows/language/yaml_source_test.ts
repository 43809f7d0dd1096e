import assert from "node:assert/strict";
import { MAX_DEPTH, parseYaml } from "../../../workflows/language/yaml_source.ts";

function problemsOf(text: string): string[] {
  const { problems, source } = parseYaml(text, "a.yaml");
  return problems.map((problem) => {
    const place = source.locate(problem);
    return `${place?.line}:${place?.column} ${problem.message}`;
  });
}

Deno.test("parseYaml() reads YAML 1.2: what is a number, a text, a key", () => {
  const { value, problems } = parseYaml("a: 1e-6\nb: no\non: yes\nc: 010\nd: 1_000\ne: 2024-01-01\nf: off\n", "a.yaml");
  assert.deepEqual(problems, []);
  assert.deepEqual(value, { a: 1e-6, b: "no", on: "yes", c: 10, d: "1_000", e: "2024-01-01", f: "off" });
});

for (
  const [what, text, want] of [
    ["a duplicate key", "a: 1\na: 2\n", /^2:1 key "a" stands twice/],
    ["a merge key", "b: &x { c: 1 }\na:\n  <<: *x\n", /^3:3 merge key "<<" is not read/],
    ["an alias without an anchor", "a: *x\n", /^1:4 unknown alias "\*x"/],
    ["a tag of one's own", "a: !!js x\n", /^1:4 tag "!!js" is not read/],
    ["a second document", "a: 1\n---\nb: 2\n", /^2:1 a second document begins here/],
    ["another YAML version", "%YAML 1.1\n---\na: 1\n", /^1:1 %YAML 1.1 is not read/],
    ["a key that is a list", "[a]: 1\n", /a key must be a name/],
    ["an open quote", 'a: "x\n', /^1:4 a text that begins with " has no closing "/],
    ["a tab as indentation", "a:\n\tb: 1\n", /^2:1 a tab in the indentation; want spaces/],
    ["an empty file", "# nothing\n", /the file is empty/],
  ] as const
) {
  Deno.test(`parseYaml() refuses ${what}`, () => assert.match(problemsOf(text)[0] ?? "accepted", want));
}

Deno.test("parseYaml() explains an unquoted expression in a flow map, at each place", () => {
  const problems = problemsOf("a: { x: ${{ params.x }}, y: 1 }\nb: [1, ${{ params.y }}]\n");
  assert.match(problems[0]!, /^1:9 unquoted "\$\{\{" inside \{ \} or \[ \]; put the expression in quotes/);
  assert.equal(problems.every((problem) => problem.includes("unquoted")), true);
});

Deno.test("parseYaml() accepts an unquoted expression in block style", () => {
  assert.deepEqual(parseYaml("a: ${{ params.x }}\n", "a.yaml").value, { a: "${{ params.x }}" });
});

Deno.test("parseYaml() refuses nesting beyond the limit, in every style, without recursion", () => {
  const styles = {
    flow: (depth: number) => "a: " + "[".repeat(depth - 1) + "]".repeat(depth - 1),
    maps: (depth: number) => "{a: ".repeat(depth) + "1" + "}".repeat(depth),
    dashes: (depth: number) => "- ".repeat(depth) + "x\n",
    block: (depth: number) => Array.from({ length: depth }, (_, level) => `${" ".repeat(level)}a:`).join("\n") + " 1\n",
  };
  for (const [style, text] of Object.entries(styles)) {
    assert.deepEqual(problemsOf(text(MAX_DEPTH - 1)), [], style);
    assert.match(problemsOf(text(20_000 / (style === "block" ? 100 : 1)))[0]!, /nested deeper than 100/, style);
  }
});

Deno.test("parseYaml() counts nesting, not lines: a long flat file is fine", () => {
  const rows = Array.from({ length: 300 }, (_, row) => `  - { a: [${row}], "b": '{[' }\n  # [[[\n`).join("");
  const { problems, value } = parseYaml(`rows:\n${rows}`, "a.yaml");
  assert.deepEqual(problems, []);
  assert.equal((value as { rows: unknown[] }).rows.length, 300);
});

Deno.test("parseYaml() does not count the indentation inside a text", () => {
  const lines = Array.from({ length: 150 }, (_, level) => `  ${" ".repeat(level)}a: [{`);
  for (const style of ["|", ">"]) assert.deepEqual(problemsOf(`text: ${style}\n${lines.join("\n")}\nnext: 1\n`), []);
});

Deno.test("parseYaml() refuses an alias bomb", () => {
  const line = (name: string, inner: string) => `${name}: &${name} [${Array(9).fill(inner).join(",")}]\n`;
  const bomb = line("a", "x") + line("b", "*a") + line("c", "*b") + line("d", "*c") + line("e", "*d");
  assert.match(problemsOf(bomb)[0]!, /Cannot expand aliases/);
});

Deno.test("parseYaml() refuses an alias that stands inside its own anchor", () => {
  for (const text of ["steps: &a [*a,*a]\n", "steps: &a\n  - uses: train\n    steps: *a\n"]) {
    assert.match(problemsOf(text)[0]!, /Cannot expand aliases: alias "\*a" stands inside "&a" itself/);
  }
});

Deno.test("parseYaml() refuses more than 100 aliases", () => {
  const problems = problemsOf(`a: &x 1\nb: [${Array(101).fill("*x").join(",")}]\n`);
  assert.equal(problems.length, 1);
  assert.match(problems[0]!, /more than 100 aliases/);
});

Deno.test("locate() points at keys, values, list items and into texts", () => {
  const { source } = parseYaml("a:\n  - b: 'x ${{ y }}'\n    c: plain\nd: \"q\\n\\n ${{ z }}\"\n", "a.yaml");
  assert.deepEqual(source.locate({ path: ["a", 0, "b"] }), { line: 2, column: 8 });
  assert.deepEqual(source.locate({ path: ["a", 0, "c"], key: true }), { line: 3, column: 5 });
  assert.deepEqual(source.locate({ path: ["a", 0, "b"], offset: 2 }), { line: 2, column: 11 });
  assert.deepEqual(source.locate({ path: ["a", 0, "c"], offset: 2 }), { line: 3, column: 10 });
  // Escapes move the text: the value's start is the best that is known.
  assert.deepEqual(source.locate({ path: ["d"], offset: 5 }), { line: 4, column: 4 });
});

Deno.test("locate() points at the nearest thing above what is missing", () => {
  const { source } = parseYaml("a:\n  b: 1\n", "a.yaml");
  assert.deepEqual(source.locate({ path: ["a", "zz", 3] }), { line: 2, column: 3 });
  assert.deepEqual(source.locate({ path: [] }), { line: 1, column: 1 });
});

Deno.test("locate() follows an alias to the value it stands for", () => {
  const { source } = parseYaml("a: &x { k: 1 }\nb: *x\n", "a.yaml");
  assert.deepEqual(source.locate({ path: ["b", "k"] }), { line: 1, column: 12 });
});
