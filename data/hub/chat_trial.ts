/** Tries a stranger's chat template where it can be ended: a loop in one would hold the whole program. @module */
import { Worker } from "node:worker_threads";
import type { ChatOptions } from "./chat_template.ts";

const LIMIT_MS = 5000; // Time for one short conversation, on a busy machine too.
const LIMIT_MB = 256; // Memory for it: a template needs a few megabytes.

interface ChatProblem {
  /** A sentence. */
  readonly text: string;
  /** It does not end, or fills the memory: nobody may render it, also not for other messages. */
  readonly endless: boolean;
  /** It reads a user's message, and refuses or drops what the system says. */
  readonly system: boolean;
}

/** What is wrong with a template, found by rendering a short conversation in a thread of its own; null when nothing is. */
export async function chatTemplateProblem(
  template: string,
  options: ChatOptions,
  limitMs = LIMIT_MS,
): Promise<ChatProblem | null> {
  const worker = new Worker(new URL("./chat_trial_worker.ts", import.meta.url), {
    workerData: { template, options },
    resourceLimits: { maxOldGenerationSizeMb: LIMIT_MB },
  });
  const tooLong = `Cannot render the chat template: a short conversation takes more than ${
    limitMs / 1000
  } s; look for a loop in it`;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<ChatProblem | null>((resolve) => {
      worker.on(
        "message",
        (message: { readonly begun: true } | { readonly text: string; readonly system: boolean } | null) => {
          // A busy machine may take long to start a thread: that is no time of the template.
          if (message !== null && "begun" in message) {
            timer = setTimeout(() => resolve({ text: tooLong, endless: true, system: false }), limitMs);
          } else resolve(message === null ? null : { ...message, endless: false });
        },
      );
      worker.on("error", (error: Error & { readonly code?: string }) => {
        const isLarge = error.code === "ERR_WORKER_OUT_OF_MEMORY";
        const found = isLarge
          ? `a short conversation takes more than ${LIMIT_MB} MB of memory; look for a loop in it`
          : `${error}`;
        resolve({ text: `Cannot render the chat template: ${found}`, endless: isLarge, system: false });
      });
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
