import assert from "node:assert/strict";
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import { closeSandboxes, withSandbox } from "../../../../steps/rewards/sandbox/pool.ts";

const REQUEST = {
  runId: "one",
  stepId: "score",
  path: fromFileUrl(new URL("../user_rewards/by_default.js", import.meta.url)),
  limits: { timeoutMs: 10_000, memoryBytes: 512 * 2 ** 20, net: [] },
  signal: new AbortController().signal,
  print: () => {},
};

Deno.test("withSandbox() gives a run the same sandbox again, another run another one", async () => {
  const [first, again, other] = [
    await withSandbox(REQUEST, (sandbox) => Promise.resolve(sandbox)),
    await withSandbox(REQUEST, (sandbox) => Promise.resolve(sandbox)),
    await withSandbox({ ...REQUEST, runId: "two" }, (sandbox) => Promise.resolve(sandbox)),
  ];
  assert.equal(first, again);
  assert.notEqual(first, other);
  await closeSandboxes("one");
  assert.deepEqual([first.alive, other.alive], [false, true]);
  await closeSandboxes();
  assert.equal(other.alive, false);
});

Deno.test("withSandbox() ends an idle sandbox when its run is aborted, a busy one after its batch", async () => {
  const idle = new AbortController(), busy = new AbortController();
  const first = await withSandbox({ ...REQUEST, signal: idle.signal }, (sandbox) => Promise.resolve(sandbox));
  idle.abort();
  assert.equal(first.alive, false);
  const second = await withSandbox({ ...REQUEST, signal: busy.signal }, (sandbox) => {
    busy.abort();
    assert.equal(sandbox.alive, true);
    return Promise.resolve(sandbox);
  });
  assert.equal(second.alive, false);
  await closeSandboxes();
  await first.close();
});
