/**
 * The thread in which the code of one completion runs: it loads it as a module, calls its function with the arguments
 * that it is sent, and sends back what that returns as JSON, or null where it throws or returns no plain value.
 * @module
 */

import { parentPort } from "node:worker_threads";

// Kept before any code of a completion runs: what it puts in their place is not used.
const post = parentPort!.postMessage.bind(parentPort), { parse, stringify } = JSON, { isArray } = Array;
const { getPrototypeOf, hasOwn, values } = Object, { isFinite } = Number, ObjectPrototype = Object.prototype;

// Stdout is the sandbox's; what is printed is kept nowhere.
const silent = () => {};
globalThis.console = new Proxy(console, { get: () => silent });

// Requests are none of its business, and a thread of its own would outlive it.
Deno.stdin.close();
Object.defineProperty(globalThis, "Worker", { value: undefined });

// What a script of Node ends with is heard; there is nothing to require.
const none = () => {
  throw new Error("there is nothing to require");
};
const script: { exports: unknown } = { exports: {} };
Object.assign(globalThis, {
  module: script,
  exports: script.exports,
  require: Object.assign(none, { main: undefined }),
});

const DEEPEST = 100;
let call: ((...args: unknown[]) => unknown) | null = null;

parentPort!.on("message", async ([kind, text, name]: readonly string[]) => {
  try {
    if (kind === "load") {
      call = await load(text!, name!);
      post(typeof call === "function" ? "ready" : null);
    } else {
      const value = await call!(...parse(text!));
      post(isPlain(value, 0) ? stringify(value) : null);
    }
  } catch {
    post(null); // It does not load, or throws: it is wrong.
  }
});

/**
 * The function of that name, exported or not: the module is given an export that its own cannot be named after. Where
 * nothing at its top is called so, that which it has put into `exports`, or in their place.
 */
async function load(code: string, name: string) {
  const entry = `entry_${crypto.randomUUID().replaceAll("-", "_")}`;
  const module = await loaded(`${code}\n;export { ${name} as ${entry} };\n`).catch((error) => {
    // It was not linked, so nothing of it has run.
    if (error instanceof SyntaxError) return loaded(`${code}\n;export {};\n`);
    throw error;
  });
  return module[entry] ?? exported(name);
}

function exported(name: string) {
  const { exports } = script;
  if (typeof exports === "function") return exports.name === name ? exports : null;
  return typeof exports === "object" && exports !== null && hasOwn(exports, name)
    ? (exports as Record<string, unknown>)[name]
    : null;
}

/** A module of that text. */
async function loaded(source: string) {
  const bytes = new TextEncoder().encode(source);
  let binary = "";
  for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return await import(`data:application/typescript;base64,${btoa(binary)}`);
}

/** Null, booleans, texts, finite numbers, and lists and plain objects of them: what JSON says as it is. */
function isPlain(value: unknown, depth: number): boolean {
  if (value === null || typeof value === "boolean" || typeof value === "string") return true;
  if (typeof value === "number") return isFinite(value);
  if (typeof value !== "object" || depth > DEEPEST) return false;
  const prototype = getPrototypeOf(value);
  if (!isArray(value) && prototype !== ObjectPrototype && prototype !== null) return false;
  for (const inner of values(value)) if (!isPlain(inner, depth + 1)) return false;
  return true;
}
