import assert from "node:assert/strict";
import { judge } from "../../../../steps/rewards/programs/judge.ts";
import { closeSandboxes } from "../../../../steps/rewards/sandbox/pool.ts";

const HOST = { runId: "judge_test", stepId: "score", signal: new AbortController().signal };
const ADD = JSON.stringify({ fn_name: "add", inputs: [[1, 2], [10, -3], [0, 0]], outputs: [3, 7, 0] });
const TOTAL = JSON.stringify({
  fn_name: "count",
  inputs: [["aab"], [""], ["constructor"]],
  outputs: [{ a: 2, b: 1 }, {}, { c: 2, o: 2, n: 1, s: 1, t: 2, r: 2, u: 1 }],
});
const MEAN = JSON.stringify({ fn_name: "mean", inputs: [[[0.1, 0.2]], [[]]], outputs: [0.15, null] });

const TINY = JSON.stringify({ fn_name: "tiny", inputs: [[]], outputs: [1e-10] });

const fence = (code: string, language = "js") => `Here it is:\n\`\`\`${language}\n${code}\n\`\`\`\nIt adds.`;

const RIGHT: [code: string, tests: string][] = [
  ["function add(a, b) { return a + b; }", ADD],
  [fence("function add(a, b) { return a + b; }"), ADD],
  [fence("const add = (a: number, b: number): number => a + b;", "ts"), ADD],
  [fence("export default function add(a, b) { return a + b }", "javascript"), ADD],
  [fence("export const add = async (a, b) => a + b;"), ADD],
  [fence("let add = function (a, b) { return a - -b; }") + fence("add(1, 2); // 3"), ADD],
  [fence("console.log('adding'); function add(a, b) { console.error(a); return a + b }"), ADD],
  [fence("function count(s) { const c = {}; for (const x of s) c[x] = (c[x] ?? 0) + 1; return c }"), TOTAL],
  [fence("function mean(l) { return l.length ? l.reduce((a, b) => a + b, 0) / l.length : null }"), MEAN],
  ["const tiny = () => 1.0000000001e-10", TINY],
  [
    fence("function add(a, b) { return a + b }\nmodule.exports = { add };\nif (require.main === module) add(1, 2)"),
    ADD,
  ],
  [fence("function add(a, b) { return a + b }\nexports.add = add;"), ADD],
  // Without a name of its own in the module.
  [fence("exports.add = function (a, b) { return a + b };"), ADD],
  ["exports.add = function (a, b) { return a + b };", ADD],
  [fence("module.exports.add = async (a, b) => a + b;"), ADD],
  [fence("exports['add'] = (a: number, b: number) => a + b;", "ts"), ADD],
  [fence("module.exports = { sub: (a, b) => a - b, add: (a, b) => a + b };"), ADD],
  [fence("module.exports = {\n  add(a, b) { return a + b },\n};"), ADD],
  [fence("module.exports = function add(a, b) { return a + b };"), ADD],
  ["1. So:\n\n   ```jsx\n   function add(a, b) { return a + b }\n   ```\n", ADD],
  ["~~~js\nfunction add(a, b) { return a + b }\n~~~", ADD],
];

const WRONG: [code: string, tests: string][] = [
  ["const tiny = () => 0", TINY], // relative to the larger one
  ["const tiny = () => 2e-10", TINY],
  ["", ADD],
  [fence("const fs = require('fs'); function add(a, b) { return a + b }"), ADD],
  ["ok", ADD],
  [fence("exports.add = (a, b) => a - b;"), ADD],
  [fence("exports.sum = (a, b) => a + b;"), ADD],
  [fence("module.exports = { add: 3 };"), ADD],
  [fence("module.exports = null; exports.add = (a, b) => a + b;"), ADD],
  [fence("module.exports = (a, b) => a + b;"), ADD], // it may be any function
  [fence("exports.toString = (a, b) => a + b;"), ADD],
  ["All tests pass.", ADD],
  [fence("def add(a, b):\n    return a + b", "python"), ADD],
  [fence("function sum(a, b) { return a + b }"), ADD],
  [fence("function add(a, b) { return a - b }"), ADD],
  [fence("function add(a, b) { return String(a + b) }"), ADD],
  [fence("function add(a, b) { return 3 }"), ADD],
  [fence("function add(a, b) { return undefined }"), ADD],
  [fence("function add() { return NaN }"), MEAN.replace("mean", "add")],
  [fence("function mean(l) { return l.reduce((a, b) => a + b, 0) / l.length }"), MEAN], // NaN is not null
  [fence("function add(a, b) { throw a + b }"), ADD],
  [fence("function add(a, b) { while (true); }"), ADD],
  [fence("while (true); function add(a, b) { return a + b }"), ADD],
  [fence("function add() { return new Promise(() => {}) }"), ADD],
  [fence("function add(a, b) { Deno.exit(0) }"), ADD],
  [fence("import process from 'node:process'; process.exit(0); function add(a, b) {}"), ADD],
  [fence("function add(a, b) { close(); }"), ADD],
  [fence("console.log('ok'); console.log('PASS'); function add(a, b) {}"), ADD],
  [fence("Object.prototype.toJSON = () => 3; function add(a, b) { return {} }"), ADD],
  [fence("JSON.stringify = () => '3'; Array.isArray = () => true; function add() { return 0 }"), ADD],
  [fence("Object.prototype.outputs = [0, 0, 0]; function add() { return 0 }"), ADD],
  [fence("Array.prototype.every = () => true; Object.is = () => true; function add() { return {} }"), ADD],
  [fence("function add() { return { valueOf: () => 3, [Symbol.toPrimitive]: () => 3 } }"), ADD],
  [fence("postMessage('ready'); postMessage('3'); postMessage('3'); function add() { return 0 }"), ADD],
  [fence("self.onmessage = null; function add() { return 3 }"), ADD],
  [fence("onmessage = () => postMessage('3'); function add() { return 3 }"), ADD],
  [fence("const text = Deno.readTextFileSync('/etc/passwd'); function add(a, b) { return a + b }"), ADD],
  [fence("const home = Deno.env.get('HOME'); function add(a, b) { return a + b }"), ADD],
  [fence("await fetch('http://127.0.0.1:1'); function add(a, b) { return a + b }"), ADD],
  [fence("import x from 'https://example.org/x.js'; function add(a, b) { return a + b }"), ADD],
  [fence("import x from 'npm:zod'; function add(a, b) { return a + b }"), ADD],
  [fence("new Deno.Command('true').outputSync(); function add(a, b) { return a + b }"), ADD],
  [fence("function add(a, b) { return a + b"), ADD],
  [fence("function add(a, b) { return a + b }\nexport { add as add2 };\nimport.meta.resolve('x'); throw 1"), ADD],
  [fence("class add { constructor(a, b) { return a + b } }"), ADD],
  [fence("function add(a, b) { return new Proxy([], {}) }"), ADD],
  [fence("function add(a, b) { const x = []; x.push(x); return x }"), ADD],
  ["x".repeat(200_000), ADD],
];

const judged = (cases: typeof RIGHT) =>
  judge(
    cases.map(([text]) => text),
    cases.map(([, answer]) => ({ verifier: "unit_tests", answer, verifier_options: `{"timeout_seconds":2}` })),
    HOST,
  );

Deno.test("judge() runs a completion's function against hidden tests, and refuses what only looks right", async (t) => {
  const cases = [...RIGHT, ...WRONG], found = await judged(cases);
  await closeSandboxes(HOST.runId);
  for (const [i, [text]] of cases.entries()) {
    await t.step(`${i < RIGHT.length ? "right" : "wrong"}: ${text.slice(0, 60).replaceAll("\n", " ")}`, () => {
      assert.equal(found[i], i < RIGHT.length);
    });
  }
});

Deno.test("judge() goes on after code that writes to stdout, and after code that takes all memory", async () => {
  const cases: typeof RIGHT = [
    RIGHT[0]!,
    [fence("Deno.stdout.writeSync(new TextEncoder().encode('3\\n')); function add(a, b) { return a + b }"), ADD],
    [fence("function add(a, b) { const x = []; for (;;) x.push(new Array(1e6).fill(a)); }"), ADD],
    RIGHT[1]!,
  ];
  const found = await judged(cases);
  await closeSandboxes(HOST.runId);
  assert.deepEqual(found, [true, false, false, true]);
});

Deno.test("judge() kills a process that a program has stopped, and goes on in another", async () => {
  const answer = JSON.stringify({ fn_name: "add", inputs: [[1, 2]], outputs: [3] });
  const codes = [
    "const add = (a, b) => a + b",
    "function add(a, b) { Deno.kill(Deno.pid, 'SIGSTOP'); return a + b }",
    "const add = (a, b) => a + b",
  ];
  const rows = codes.map(() => ({ verifier: "unit_tests", answer, verifier_options: '{"timeout_seconds":0.2}' }));
  const found = await judge(codes, rows, HOST);
  await closeSandboxes(HOST.runId);
  // Whether the stop comes before the answer is out is the system's: what follows is judged either way.
  assert.deepEqual([found[0], found[2]], [true, true]);
});

Deno.test("judge() gives a program no standard input, and no threads", async () => {
  const answer = JSON.stringify({ fn_name: "has", inputs: [[]], outputs: ["undefined closed"] });
  const code =
    "function has() { let stdin = 'open'; try { Deno.stdin.readSync(new Uint8Array(9)) } catch { stdin = 'closed' } " +
    "return `${typeof Worker} ${stdin}` }";
  const rows = [{ verifier: "unit_tests", answer, verifier_options: '{"timeout_seconds":2}' }];
  const found = await judge([code], rows, HOST);
  await closeSandboxes(HOST.runId);
  assert.deepEqual(found, [true]);
});

Deno.test("judge() asks other verifiers without a process, and is null where there is none", async () => {
  const rows = [{ verifier: "numeric", answer: "3" }, { verifier: "none", answer: "" }, {
    verifier: "addition",
    answer: "3",
  }];
  assert.deepEqual(await judge(["3", "3", "4"], rows, HOST), [true, null, false]);
});
