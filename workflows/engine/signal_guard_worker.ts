/**
 * The thread that hears signals when the main thread cannot. A first SIGINT is the main thread's: it may be in the middle
 * of a long computation that ends at a safe point. SIGTERM, or a second signal, ends the program unless it answers.
 * @module
 */
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";

const SAME_SIGNAL_MS = 1000; // Two deliveries within this many ms are one, as for the main thread.

const { signals, termMs, againMs } = workerData as {
  readonly signals: readonly Deno.Signal[];
  readonly termMs: number;
  readonly againMs: number;
};
let first: number | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

function hear(signal: Deno.Signal): void {
  const time = performance.now();
  first ??= time;
  const again = time - first >= SAME_SIGNAL_MS;
  parentPort!.postMessage("there?");
  if (timer !== undefined || !(again || signal === "SIGTERM")) return;
  timer = setTimeout(() => end(signal, again ? againMs : termMs), again ? againMs : termMs);
}

function end(signal: Deno.Signal, ms: number): void {
  console.error(`Ended: no answer to ${signal} within ${ms / 1000} s; the last checkpoint is kept`);
  process.kill(process.pid, "SIGKILL");
}

parentPort!.on("message", () => {
  clearTimeout(timer);
  timer = undefined;
});
for (const signal of signals) Deno.addSignalListener(signal, () => hear(signal));
parentPort!.postMessage("listening");
