/**
 * The program of the sandbox's child process: passes requests from stdin to the worker that runs the user's code, and its
 * answers to stdout; ends, whatever the worker does, when its parent has closed stdin or died.
 *
 * The first request is {token, load}: the worker starts after it, in a heap of its own, so that no code of the user's
 * ever sees the token. The others are {batch, options, from}. The argument is the memory the process may use between two
 * batches, when the parent may be too busy to look. The process may read that one file and nothing else.
 * @module
 */
import { Worker } from "node:worker_threads";
import { type BatchReply, single } from "./evaluate.ts";
import { answer, takeRequest } from "./frames.ts";
import { thrown } from "./thrown.ts";

const [memoryBytes] = Deno.args.map(Number) as [number];
const WATCH_MS = 25;
const OUT_OF_MEMORY = 134; // The code of a process that V8 ends for its memory.

// Ctrl-C in a terminal is the parent's business.
Deno.addSignalListener("SIGINT", () => {});
const { token, load } = await takeRequest();

/** The answer that is waited for: its number, and who waits. Answers with another number are not the harness's. */
let waiting: { readonly number: number; readonly take: (reply: string) => void } | null = null;
let number = 0;
/** What the code threw while nobody waited, as a reply: the answer to the next request. */
let late: string | null = null;

const worker = new Worker(new URL("./worker.ts", import.meta.url));
worker.on("message", (message: unknown) => {
  if (!Array.isArray(message) || typeof message[1] !== "string" || message[1].includes("\n")) return;
  if (message[0] === waiting?.number) waiting!.take(message[1]);
  else if (message[0] === 0) late = message[1];
});
worker.on("error", (error: unknown) => {
  const failure: BatchReply = { failure: `threw ${thrown(error)} outside of its function` };
  waiting?.take(JSON.stringify(failure));
});
worker.on("exit", (code: number) => Deno.exit(code));

function ask(request: Record<string, unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<string>();
  waiting = { number: ++number, take: resolve };
  if (late === null) worker.postMessage({ number, ...request });
  else resolve(late);
  late = null;
  return promise.then((reply) => {
    waiting = null;
    answer(token, reply);
  });
}

setInterval(() => {
  if (waiting === null && Deno.memoryUsage().rss > memoryBytes) Deno.exit(OUT_OF_MEMORY);
}, WATCH_MS);

/** Requests are read while the worker computes: the end of stdin must be seen at once. */
let answered = ask({ load });
for (;;) {
  const { batch, options, from } = await takeRequest();
  answered = answered.then(async () => {
    if (from === undefined) return await ask({ batch, options });
    // One completion at a time, so that the parent knows at which one the process hung or died.
    for (let i = from; i < batch.texts.length; i++) await ask({ batch: single(batch, i), options });
  });
}
