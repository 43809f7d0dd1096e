/** A program that hears no signal: says "ready", then loops; `--free` waits instead. @module */
import { guardSignals } from "../../../workflows/engine/signal_guard.ts";

// Without a listener of its own a signal ends the program anyway.
Deno.addSignalListener("SIGINT", () => console.log("heard"));
Deno.addSignalListener("SIGTERM", () => console.log("heard"));
const listening = Promise.withResolvers<void>();
const release = guardSignals({
  signals: ["SIGINT", "SIGTERM"],
  termMs: 300,
  againMs: 300,
  onListening: listening.resolve,
});
await listening.promise;
console.log("ready");
const started = performance.now(), isFree = Deno.args.includes("--free");
if (isFree) await new Promise((resolve) => setTimeout(resolve, 1000));
else while (performance.now() - started < 60_000);
release();
Deno.exit(7);
