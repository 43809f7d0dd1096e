/**
 * Runs the user's code inside the sandbox's child process, in a thread and a heap of its own.
 *
 * It never sees the token of the answers. What it uses after the user's module is loaded is captured before; code that
 * still forges an answer forges its own values, which the parent checks.
 * @module
 */
import { setImmediate } from "node:timers";
import { parentPort } from "node:worker_threads";
import { type BatchReply, evaluate, loadScore, type UserScore } from "./evaluate.ts";
import { thrown } from "./thrown.ts";

interface Request {
  readonly number: number;
  readonly load?: string;
  readonly batch: Parameters<UserScore>[0];
  readonly options: Parameters<UserScore>[1];
}

const { stringify } = JSON;
const post = parentPort!.postMessage.bind(parentPort);
const { error: print } = console;

// What user code prints belongs on stderr, and requests are none of its business.
console.log = console.info = console.debug = console.error;
Deno.stdin.close();

/** The request that is being answered; 0 between two. */
let asked = 0;

/** What the code throws by a timer or in a promise that nobody awaits is the answer; too late for one, it is printed. */
function stray(event: Event, error: unknown): void {
  event.preventDefault();
  const failure = `threw ${thrown(error)} outside of its function${asked === 0 ? ", after it had answered" : ""}`;
  if (asked === 0) print(`It ${failure}`);
  post([asked, stringify({ failure })]);
}
globalThis.addEventListener("error", (event) => stray(event, event.error));
globalThis.addEventListener("unhandledrejection", (event) => stray(event, event.reason));

let score: UserScore | undefined;
parentPort!.on("message", async ({ number, load, batch, options }: Request) => {
  asked = number;
  let reply: BatchReply = { values: [] };
  try {
    if (load === undefined) reply = await evaluate(score!, batch, options);
    else score = await loadScore(load);
  } catch (error) {
    reply = { failure: (error as Error).message };
  }
  // A turn later: what it left rejected has been heard by then.
  await new Promise<void>((resolve) => setImmediate(resolve));
  post([number, stringify(reply)]);
  if (asked === number) asked = 0; // What was thrown meanwhile has answered it, and the next is under way.
});
