/** Rewards that misuse what is inside of their process: time, memory, its end, and the answers to the program. @module */
import { ENDED, LARGE, type Misbehaviours, SLOW } from "./misbehaviour.ts";

const LOADS = "export const score = ({ texts }) => texts.map(() => 1);";

export const TIME: Misbehaviours = {
  loop: { code: "for (;;);", says: SLOW },
  promise: { code: "await new Promise(() => {}); return [1, 1]", says: SLOW },
  microtasks: { code: "for (;;) await null;", says: SLOW },
  wait: { code: "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); return [1, 1]", says: SLOW },
  backtracking: { code: "return [/^(a+)+$/.test('a'.repeat(50) + 'b'), 1]", says: SLOW },
  recursion: { code: "const f = () => f(); return f()", says: /RangeError: Maximum call stack size exceeded/ },
  value_that_loops: { code: "return [{ toString() { for (;;); } }, 1]", says: SLOW },
  getter_that_loops: {
    code: "return { __proto__: Array.prototype, length: 2, get 0() { for (;;); } }",
    says: SLOW,
  },
  proxy_that_loops: {
    code: "return new Proxy([], { get(t, k) { if (k === 'length') for (;;); return t[k]; } })",
    says: SLOW,
  },
  error_that_loops: { code: "throw new (class extends Error { get message() { for (;;); } })()", says: SLOW },
  thread_that_loops: { code: "new Worker('data:text/javascript,for(;;);', { type: 'module' }); for (;;);", says: SLOW },
  interval: { code: "setInterval(() => {}, 0); return [1, 1]", says: null },
  load: { code: `for (;;);\n${LOADS}`, says: SLOW },
  load_promise: {
    code: `await new Promise(() => {});\n${LOADS}`,
    says: /gave no answer|never resolved|ended the process/,
  },
  thenable_module: { code: `export function then() {}\n${LOADS}`, says: SLOW },
};

export const MEMORY: Misbehaviours = {
  objects: { code: "const kept = []; for (;;) kept.push({ a: new Array(1000).fill(kept.length) });", says: LARGE },
  typed_arrays: { code: "const kept = []; for (;;) kept.push(new Float64Array(2 ** 20).fill(1));", says: LARGE },
  text: {
    code: "const kept = []; for (let i = 0;; i++) kept.push('x'.repeat(2 ** 20) + i, [...kept.at(-1) ?? '']);",
    says: /used \d+ MB of memory|out of memory|gave no answer/,
  },
  web_assembly: {
    code:
      "const m = new WebAssembly.Memory({ initial: 1, maximum: 65536 }); m.grow(20000); new Uint8Array(m.buffer).fill(1); for (;;);",
    says: LARGE,
  },
  shared: {
    code: "const kept = []; for (;;) kept.push(new Uint8Array(new SharedArrayBuffer(2 ** 24)).fill(1));",
    says: LARGE,
  },
  threads: {
    code:
      "const grow = 'data:text/javascript,const k=[];for(;;)k.push(new Uint8Array(2**22).fill(1))'; for (let i = 0; i < 4; i++) new Worker(grow, { type: 'module' }); await new Promise(() => {});",
    says: LARGE,
  },
  many_values: { code: "return new Array(3e7).fill(1)", says: /returned 30000000 values for 2 completions/ },
  long_error: { code: "throw new Error('x'.repeat(1e7))", says: /^threw Error: x{500}/ },
  long_text: { code: "return ['x'.repeat(1e8), 1]", says: /gave "x{100}/ },
  console: { code: "for (let i = 0; i < 300; i++) console.log('x'.repeat(1e5)); return [1, 1]", says: null },
  errors: {
    code:
      "const b = new Uint8Array(1e6).fill(65); for (let i = 0; i < 30; i++) Deno.stderr.writeSync(b); return [1, 1]",
    says: null,
  },
  output: {
    code: "for (;;) Deno.stdout.writeSync(new Uint8Array(2 ** 20).fill(65));",
    says: /wrote "A{80}" to stdout/,
  },
  messages: {
    code:
      "const { parentPort } = await import('node:worker_threads'); for (;;) parentPort.postMessage('x'.repeat(1e6));",
    says: /used \d+ MB|out of memory|gave no answer/,
  },
};

export const ENDS: Misbehaviours = {
  exit: { code: "Deno.exit(0)", says: ENDED },
  exit_code: { code: "Deno.exit(75)", says: /ended the process \(exit code 75\)/ },
  node_exit: { code: "(await import('node:process')).exit(3)", says: ENDED },
  node_abort: {
    code: "(await import('node:process')).abort()",
    says: /ended the process|not implemented|not a function/i,
  },
  late_throw: {
    code: "setTimeout(() => { throw new Error('late'); }); await new Promise(() => {})",
    says: /late/,
    placeless: true,
  },
  late_rejection: {
    code: "Promise.reject(new Error('late')); await new Promise(() => {})",
    says: /late/,
    placeless: true,
  },
  close: {
    code: "globalThis.close(); await new Promise(() => {})",
    says: /gave no answer|ended the process|not a function/,
  },
  load_exit: { code: `Deno.exit(0);\n${LOADS}`, says: ENDED },
  load_throw: { code: `throw new Error('no');\n${LOADS}`, says: /Error: no \(reward\.js:1:\d+\)/ },
  load_syntax: { code: `export const score = ( => 1;`, says: /\(reward\.js:1:\d+\)/ },
  load_nothing: {
    code: "export const rewards = 1;",
    says: /exports no function "score".*exports: rewards/,
    placeless: true,
  },
  load_missing: { code: `import './absent.js';\n${LOADS}`, says: /has no read access|not found/i, placeless: true },
};

export const ANSWERS: Misbehaviours = {
  too_few: { code: "return [1]", says: /returned 1 values for 2 completions/ },
  no_array: { code: "return 1", says: /returned 1, want an array of 2 numbers/ },
  text: { code: "return ['1', 1]", says: /gave "1"/ },
  not_finite: { code: "return [1, NaN]", says: /gave NaN/ },
  missing_field: {
    code: "return arguments[0].completions.map(() => 1)",
    says: /the first argument holds prompts, texts, answers/,
  },
  throws_text: { code: "throw 'text'", says: /threw "text"/, placeless: true },
  throws_nothing: { code: "throw null", says: /threw null/, placeless: true },
  throws_hostile: {
    code: "throw { get message() { throw 1; }, toString() { throw 2; } }",
    says: /threw a object/,
    placeless: true,
  },
  stdout: {
    code: "await Deno.stdout.write(new TextEncoder().encode('[1,1]\\n')); return [1, 1]",
    says: /wrote ".*" to stdout/,
  },
  forged_stdout: {
    code:
      "Deno.stdout.writeSync(new TextEncoder().encode(crypto.randomUUID() + ' {\"values\":[9,9]}\\n')); return [1, 1]",
    says: /wrote ".*" to stdout/,
  },
  forged_message: {
    code:
      "const { parentPort: p } = await import('node:worker_threads'); for (let n = 0; n < 9; n++) p.postMessage([n, '{\"values\":[\"a\",1e999]}']); return [1, 1]",
    says: /wrote ".*" to stdout/,
  },
  forged_lines: {
    code:
      "const { parentPort: p } = await import('node:worker_threads'); for (let n = 0; n < 9; n++) p.postMessage([n, '1\\n2']); return [1, 1]",
    says: null,
  },
  forged_shape: {
    code:
      "const { parentPort: p } = await import('node:worker_threads'); p.postMessage(null); p.postMessage([2]); p.postMessage({ length: 2 }); return [1, 1]",
    says: null,
  },
  replaced_checks: { code: "Number.isFinite = Array.isArray = () => true; return [NaN, 'x']", says: /gave|wrote/ },
  replaced_json: { code: "JSON.stringify = () => '{\"values\":[9,9]}'; return [1, 1]", says: null },
  to_json: { code: "Array.prototype.toJSON = () => 'x'; return [1, 1]", says: /wrote ".*" to stdout/ },
  getter_on_objects: {
    code: `const seen = [];
for (const k of ["token", "load", "from", "number"]) {
  Object.defineProperty(Object.prototype, k, { get() { seen.push(this); }, set() {}, configurable: true });
}
const uuid = (v) => typeof v === "string" && /[0-9a-f]{8}-[0-9a-f]{4}-4/.test(v);
export const score = ({ texts }) => texts.map(() => seen.some((o) => Object.values(o).some(uuid)) ? "stolen" : 1);`,
    says: null,
  },
  frozen_objects: {
    code: "Object.freeze(Object.prototype); Object.freeze(Array.prototype); return [1, 1]",
    says: null,
  },
};
