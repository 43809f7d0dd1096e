/** A lock on a file of the cache, the same that huggingface_hub takes: two programs fetch no file twice. @module */
import { dirname } from "node:path";
import type { Client } from "./request.ts";

const LOOK_MS = 200;
const TELL_MS = 5000;

/** Runs `body` with the lock; waits for whoever has it. `what` is said while waiting. */
export async function withLock(
  { signal, tell }: Pick<Client, "signal" | "tell">,
  path: string,
  what: string,
  body: () => Promise<void>,
): Promise<void> {
  Deno.mkdirSync(dirname(path), { recursive: true });
  using file = Deno.openSync(path, { write: true, create: true });
  let told = -Infinity;
  while (!file.tryLockSync(true)) {
    if (performance.now() - told > TELL_MS) {
      tell(`another program fetches ${what}: waiting for it`), told = performance.now();
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    signal.throwIfAborted();
  }
  try {
    await body();
  } finally {
    file.unlockSync();
  }
}
