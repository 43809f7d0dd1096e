import assert from "node:assert/strict";
import { on } from "node:events";
import { Worker } from "node:worker_threads";

Deno.test("the thread of a chat template says that it has begun, then answers null, or what is wrong with it", async () => {
  for (
    const [template, want] of [["{% for m in messages %}{{ m.content }}{% endfor %}", /^null$/], [
      "{% if %}",
      /^Cannot render the chat template: /,
    ]] as const
  ) {
    const worker = new Worker(new URL("../../../data/hub/chat_trial_worker.ts", import.meta.url), {
      workerData: { template, options: {} },
    });
    const messages = on(worker, "message");
    assert.deepEqual((await messages.next()).value, [{ begun: true }]);
    const [answer] = (await messages.next()).value!;
    assert.match(String(answer?.text ?? answer), want);
    await worker.terminate();
  }
});
