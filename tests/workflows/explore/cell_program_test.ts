import assert from "node:assert/strict";
import { programOf } from "../../../workflows/explore/cell_program.ts";

/** The lines of one cell, as they stand in the program. */
function rewritten(...cells: string[]): string[] {
  const { text, broken } = programOf(cells);
  assert.equal(broken, null);
  return text.split(/^await \$kernel\.begin\(\d+\);\n/m).slice(1).map((part) => part.replace(/\n;\n$/, ""));
}

for (
  const [what, cell, wanted] of [
    ["imports", 'import { a, b as c } from "./x.ts";', 'var { a: a, b: c } = await import("./x.ts");'],
    ["single quotes", "import a from './x.ts'", "var { default: a } = await import('./x.ts');"],
    ["a namespace", 'import * as x from "x";', 'var x = await import("x");'],
    ["what is imported for its effect", 'import "x";', 'await import("x");'],
    [
      "JSON",
      'import x from "./x.json" with { type: "json" };',
      'var { default: x } = await import("./x.json", { with: { type: "json" } });',
    ],
    [
      "an import over lines",
      'import {\n  a,\n} from "x";\na;',
      'var { a: a } = await import("x");\n\n\nawait $kernel.result((a));',
    ],
    ["names declared anew", "const a = 1; let b: number = 2;", "var a = 1; var b         = 2;"],
    ["a class", "class A {}", "var A = class A {};"],
    ["a last value", "const a = 1;\na + 1", "var a = 1;\nawait $kernel.result((a + 1));"],
    ["a last value with a comment", "f(1); // one", "await $kernel.result((f(1))); // one"],
    ["a promise's value", "await f()", "await $kernel.result((await f()));"],
    ["names within", "{ const a = 1; }", "{ const a = 1; }"],
    ["a text with an import in it", 'const a = `\nimport { x } from "y";\n`;', 'var a = `\nimport { x } from "y";\n`;'],
    ["nothing", "// nothing", "// nothing"],
  ] as const
) {
  Deno.test(`programOf() rewrites ${what} as a kernel takes it, on the same lines`, () => {
    assert.deepEqual(rewritten(cell), [wanted]);
  });
}

Deno.test("programOf() lets a later cell declare a function again, and leaves those that are declared once", () => {
  assert.deepEqual(rewritten("function f() {}", "const [f, { g = 1, ...h }] = x;\nfunction once() {}"), [
    "var f = function f() {};",
    "var [f, { g = 1, ...h }] = x;\nfunction once() {}",
  ]);
  assert.deepEqual(rewritten("const h = 1;\nfunction h2() {}", "function h2() {}")[1], "var h2 = function h2() {};");
});

Deno.test("placeOf() finds the cell of a line of the program, and the line in it", () => {
  const { text, placeOf } = programOf(["a;\nb;", "", 'import {\n  c,\n} from "x";\nthrow c;']);
  const lines = text.split("\n");
  assert.deepEqual(placeOf(lines.findIndex((line) => line.includes("(b)"))), { cell: 0, line: 1 });
  assert.deepEqual(placeOf(lines.indexOf("throw c;")), { cell: 2, line: 3 });
  assert.equal(placeOf(0), null);
});

for (
  const [code, line, message] of [
    ["const a = 1;\nconst b = ;", 1, /^Expression expected$/],
    ["\n\nenum A { b }", 2, /^TypeScript enum is not supported/],
    ["const a = 1;\nconst a = 2;", 1, /'a' has already been declared/],
    ["return 5;", 0, /'return' outside of function/],
    ["%matplotlib inline", 0, /Expected ';'/],
  ] as const
) {
  Deno.test(`programOf() says where a cell is no TypeScript, and runs those before it: ${JSON.stringify(code)}`, () => {
    const { broken, text } = programOf(["before();", code, "after();"]);
    assert.deepEqual([broken?.cell, broken?.line], [1, line]);
    assert.match(broken!.message, message);
    assert(text.includes("before()") && !text.includes("after()"));
  });
}
