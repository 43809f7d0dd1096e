/**
 * Ends the program on a signal when it hears none any more: what strangers wrote (a tokenizer's pattern, a chat template)
 * may hold the main thread for ever, and no listener runs then. A thread of its own hears signals all the same.
 * @module
 */
import { Worker } from "node:worker_threads";

interface SignalGuard {
  readonly signals: readonly Deno.Signal[];
  /** Time to answer SIGTERM, or a second signal, until the program is ended. */
  readonly termMs?: number;
  readonly againMs?: number;
  /** The thread hears signals from now on. */
  readonly onListening?: () => void;
}

const TERM_MS = 5000; // SIGTERM ends a run within 5 s.
const AGAIN_MS = 2000;

/** Starts the thread; it answers for the program until the returned function is called. */
export function guardSignals({ signals, termMs = TERM_MS, againMs = AGAIN_MS, onListening }: SignalGuard): () => void {
  const worker = new Worker(new URL("./signal_guard_worker.ts", import.meta.url), {
    workerData: { signals, termMs, againMs },
  });
  // Every signal is asked about: the answer comes only from a main thread that is free.
  worker.on("message", (text) => text === "listening" ? onListening?.() : worker.postMessage("here"));
  worker.unref();
  return () => void worker.terminate();
}
