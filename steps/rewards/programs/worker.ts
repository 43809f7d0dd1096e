/**
 * The thread in which the code of one completion runs: it loads it as a module, calls its function with the arguments
 * that it is sent, and sends back what that returns as JSON, or null where it throws or returns no plain value.
 * @module
 */

import { parentPort } from "node:worker_threads";

// Kept before any code of a completion runs: what it puts in their place is not used.
const post = parentPort!.postMessage.bind(parentPort), { parse, stringify } = JSON, { isArray } = Array;
const { getPrototypeOf, values } = Object, { isFinite } = Number, ObjectPrototype = Object.prototype;

// Stdout is the sandbox's; what is printed is kept nowhere.
const silent = () => {};
globalThis.console = new Proxy(console, { get: () => silent });

// Requests are none of its business, and a thread of its own would outlive it.
Deno.stdin.close();
Object.defineProperty(globalThis, "Worker", { value: undefined });

// What a script of Node ends with does no harm; there is nothing to require.
const none = () => {
  throw new Error("there is nothing to require");
};
Object.assign(globalThis, { module: { exports: {} }, exports: {}, require: Object.assign(none, { main: undefined }) });

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

/** The function of that name, exported or not: the module is given an export that its own cannot be named after. */
async function load(code: string, name: string) {
  const entry = `entry_${crypto.randomUUID().replaceAll("-", "_")}`;
  const source = `${code}\n;export { ${name} as ${entry} };\n`;
  const bytes = new TextEncoder().encode(source);
  let binary = "";
  for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  const module = await import(`data:application/typescript;base64,${btoa(binary)}`);
  return module[entry];
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
