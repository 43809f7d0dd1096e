/**
 * The program of the sandbox's process that runs the code of completions: 1 for one whose function gives what every test
 * wants, else 0. The protocol is that of sandbox/child.ts.
 *
 * Each runs in a worker of its own, with its own heap and objects, that gets the arguments of one call at a time. What
 * the calls shall return stays here. Code that forges messages forges its own answers, and must know the right ones.
 * @module
 */
import { Worker } from "node:worker_threads";
import { answer, takeRequest } from "../sandbox/frames.ts";

/** A row of the batch: what `Program` of data/tasks/verifiers/verifier.ts says. */
interface Row {
  readonly code: string;
  readonly fn_name: string;
  readonly inputs: readonly (readonly unknown[])[];
  readonly outputs: readonly unknown[];
  readonly milliseconds: number;
  readonly tolerance: number;
  readonly absolute_tolerance: number;
}

/** The code of a process that ends with a program which did not. */
const OUT_OF_TIME = 124;
/** Longest returned value, in characters of JSON. */
const MOST_RETURNED = 1e6;

async function valuesOf(rows: readonly Row[]): Promise<number[]> {
  const values: number[] = [];
  for (const row of rows) values.push(await passes(row) ? 1 : 0);
  return values;
}

/** Whether all calls return what they shall; what takes more than the time there is for them together ends the process. */
async function passes({ code, fn_name, inputs, outputs, milliseconds, ...near }: Row): Promise<boolean> {
  const worker = new Worker(new URL("./worker.ts", import.meta.url));
  let take: (reply: unknown) => void = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new Promise<null>((resolve) => {
    // The process ends with it, and the parent starts another: what it does in threads of its own would go on.
    timer = setTimeout(() => Deno.exit(OUT_OF_TIME), milliseconds);
    for (const event of ["error", "exit", "messageerror"] as const) worker.on(event, () => resolve(null));
  });
  worker.on("message", (reply: unknown) => take(reply));
  const ask = (message: unknown) => {
    const reply = new Promise<unknown>((resolve) => take = resolve);
    worker.postMessage(message);
    return Promise.race([reply, ended]);
  };
  try {
    if (await ask(["load", code, fn_name]) !== "ready") return false;
    for (const [i, args] of inputs.entries()) {
      const reply = await ask(["call", JSON.stringify(args)]);
      if (typeof reply !== "string" || reply.length > MOST_RETURNED || !same(parsed(reply), outputs[i], near)) {
        return false;
      }
    }
    return true;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

const NOTHING = Symbol("no JSON");

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NOTHING; // It forged a reply: equals nothing.
  }
}

type Near = Pick<Row, "tolerance" | "absolute_tolerance">;

/** The same plain value; the members of an object in any order. */
function same(a: unknown, b: unknown, near: Near): boolean {
  if (typeof a === "number" && typeof b === "number") {
    return a === b || (!(Number.isInteger(a) && Number.isInteger(b)) &&
      Math.abs(a - b) <= Math.max(near.tolerance * Math.max(Math.abs(a), Math.abs(b)), near.absolute_tolerance));
  }
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, i) => same(one, b[i], near));
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>], names = Object.keys(left);
  return names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && same(left[name], right[name], near));
}

// Ctrl-C in a terminal is the parent's business.
Deno.addSignalListener("SIGINT", () => {});
const { token } = await takeRequest();
const reply = (values: readonly number[]) => answer(token, JSON.stringify({ values }));
reply([]);

/** Requests are read while a program runs: the end of stdin must be seen at once. */
let answered: Promise<void> = Promise.resolve();
for (;;) {
  const { batch, from } = await takeRequest();
  const rows = batch.rows as readonly Row[];
  answered = answered.then(async () => {
    if (from === undefined) return reply(await valuesOf(rows));
    // One at a time, so that the parent knows at which one the process died.
    for (const row of rows.slice(from)) reply(await valuesOf([row]));
  });
}
