import assert from "node:assert/strict";
import { Worker } from "node:worker_threads";

Deno.test("the guard asks the main thread about a signal before anything else", async () => {
  if (Deno.build.os === "windows") return;
  // A signal that nothing else here listens to.
  const worker = new Worker(new URL("../../../workflows/engine/signal_guard_worker.ts", import.meta.url), {
    workerData: { signals: ["SIGUSR2"], termMs: 60_000, againMs: 60_000 },
  });
  const said: unknown[] = [];
  await new Promise<void>((resolve) => {
    worker.on("message", (text: unknown) => {
      said.push(text);
      if (text === "listening") Deno.kill(Deno.pid, "SIGUSR2");
      else resolve();
    });
  });
  assert.deepEqual(said, ["listening", "there?"]);
  await worker.terminate();
});
