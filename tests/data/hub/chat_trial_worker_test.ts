import assert from "node:assert/strict";
import { once } from "node:events";
import { Worker } from "node:worker_threads";

Deno.test("the thread of a chat template answers null, or what is wrong with it", async () => {
  for (
    const [template, want] of [["{{ messages[0].role }}", /^null$/], [
      "{% if %}",
      /^Cannot render the chat template: /,
    ]] as const
  ) {
    const worker = new Worker(new URL("../../../data/hub/chat_trial_worker.ts", import.meta.url), {
      workerData: { template, variables: {} },
    });
    const [answer] = await once(worker, "message");
    assert.match(String(answer), want);
    await worker.terminate();
  }
});
