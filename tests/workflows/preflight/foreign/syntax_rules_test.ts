import assert from "node:assert/strict";
import { bracketsRefusal, jsonRefusal, SYNTAX_RULES } from "../../../../workflows/preflight/foreign/syntax_rules.ts";
import { launchesOf } from "../../../../workflows/preflight/foreign/read_launch.ts";
import { testRules } from "./cases.ts";

testRules(SYNTAX_RULES);

const REFUSED: readonly (readonly [text: string, line: number, why: RegExp])[] = [
  ['{"a": 1,}', 1, /comma stands before/],
  ['{\n  "a": 1,\n  "b": [1, 2,],\n  "c": 3\n}', 3, /comma stands before/],
  ['{\n  // a rate\n  "a": 1\n}', 2, /no comments/],
  ["{'a': 1}", 1, /double quotes/],
  ['{\n  "a": True\n}', 2, /small letters/],
  ['{\n  "a": 1\n  "b": 2\n}', 2, /comma is missing/],
  ['{\n  "a": "x"\n  "b": 2\n}', 2, /comma is missing/],
  ['{\n  "a": 1', 2, /bracket, a quote/],
];

Deno.test("jsonRefusal() names the line and the mistake, and takes what Python's json takes", () => {
  for (const [text, line, why] of REFUSED) {
    const found = jsonRefusal(text);
    assert(found !== null && found.line === line && why.test(found.why), `${text}: ${JSON.stringify(found)}`);
  }
  for (const text of ['{"a": NaN, "b": [-Infinity]}', '{"a": "b, } // \' True"}', '{"a": "\\","}', "[]"]) {
    assert.equal(jsonRefusal(text), null, text);
  }
});

Deno.test("jsonRefusal() reads long texts at once", () => {
  for (const letter of [",", '"', "{", "1 ", "\n", "\\", "'"]) jsonRefusal(letter.repeat(200_000));
});

const yaml = (text: string) => SYNTAX_RULES.yaml_refused.check(launchesOf("a.yaml", text)[0]!);
const HEAD = "learning_rate: 1.0e-6\nnum_generations: 8\n";

Deno.test("yaml_refused names what PyYAML refuses, and leaves templates and lists that it takes", () => {
  for (const more of ["beta: 0.1: 2\n", "output_dir: 'out\n", " beta: 0.1\n", "output_dir: @out\n"]) {
    assert(yaml(HEAD + more) !== null, more);
  }
  for (const more of ["reward_funcs: [a,\n", "reward_funcs: [\na,\nb\n", "vllm: {a: 1,\n"]) {
    assert(yaml(HEAD + more) !== null, `${more} is never closed`);
  }
  assert.equal(yaml(HEAD + "reward_funcs: [ # one [ of two\na,\n'[b']\n"), null, "brackets in comments and in quotes");
  for (const more of ["output_dir: {{ out }}\n", "reward_funcs: [\na,\nb]\n", 'output_dir: "a\nb"\n', "x: 'it''s'\n"]) {
    assert.equal(yaml(HEAD + more), null, more);
  }
});

const BRACKETS: readonly (readonly [text: string, line: number, why: RegExp])[] = [
  ["a = f(\n  b=1,\n  c=[2, 3]\n", 1, /"\(" is never closed/],
  ["a = f(b)\nc = (1, 2]\n", 2, /"\]" closes the "\(" of line 2/],
  ["a = f(b))\n", 1, /"\)" closes nothing/],
];

Deno.test("bracketsRefusal() names the bracket, and leaves those of texts and comments", () => {
  for (const [text, line, why] of BRACKETS) {
    const found = bracketsRefusal(text);
    assert(found !== null && found.line === line && why.test(found.why), `${text}: ${JSON.stringify(found)}`);
  }
  const sound = ["a = '('  # )", '"""\n(\n"""', "f\"{x['a']} (\"", "a = [\n  (1),\n]", "r'\\('", 'b = "\\"("', ""];
  for (const text of sound) assert.equal(bracketsRefusal(text), null, text);
});

const refusedAt = (name: string, text: string) =>
  launchesOf(name, text).map((launch) => {
    const found = SYNTAX_RULES.python_refused.check(launch);
    return found !== null && [found.at, found.message.split(":")[0]];
  });

Deno.test("python_refused reads scripts of which an open bracket leaves no option, and the cells of notebooks", () => {
  const head = "from trl import GRPOConfig, GRPOTrainer\n", config = 'GRPOConfig(output_dir="o", learning_rate=1e-6)\n';
  const py = "the file is no valid Python";
  for (const broken of ["x = (1, 2\n", "x = [f(1 for c in d]\n", "def r(c):\n  return [float(len(c) for c in d]\n"]) {
    const line = broken.split("\n").length;
    assert.deepEqual(refusedAt("a.py", head + broken + config), [[line, py]], broken);
    const source = (head + broken + config).split(/(?<=\n)/);
    const json = JSON.stringify({ cells: [{ cell_type: "code", source }] }, null, 1);
    assert.deepEqual(refusedAt("a.ipynb", json), [[line + 5, "a cell is no valid Python"]], broken);
  }
  assert.deepEqual(refusedAt("a.py", head + config), [false]);
  assert.deepEqual(refusedAt("a.py", "x = (1, 2\nmodel.fit(3)\n"), [], "of no trainer that is known");
  assert.deepEqual(refusedAt("a.py", `${head}x = [${"1, ".repeat(250_000)}]\n`), [], "longer than what is read");
});
