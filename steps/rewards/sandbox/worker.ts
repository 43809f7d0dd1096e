/**
 * Runs the user's code inside the sandbox's child process, in a thread and a heap of its own.
 *
 * It never sees the token of the answers. What it uses after the user's module is loaded is captured before; code that
 * still forges an answer forges its own values, which the parent checks.
 * @module
 */
import { parentPort } from "node:worker_threads";
import { evaluate, loadScore, type UserScore } from "./evaluate.ts";

interface Request {
  readonly number: number;
  readonly load?: string;
  readonly batch: Parameters<UserScore>[0];
  readonly options: Parameters<UserScore>[1];
}

const { stringify } = JSON;
const post = parentPort!.postMessage.bind(parentPort);

// What user code prints belongs on stderr, and requests are none of its business.
console.log = console.info = console.debug = console.error;
Deno.stdin.close();

let score: UserScore | undefined;
parentPort!.on("message", async ({ number, load, batch, options }: Request) => {
  if (load === undefined) return post([number, stringify(await evaluate(score!, batch, options))]);
  try {
    score = await loadScore(load);
    post([number, stringify({ values: [] })]);
  } catch (error) {
    post([number, stringify({ failure: (error as Error).message })]);
  }
});
