import assert from "node:assert/strict";
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import type { Sandbox } from "../../../../steps/rewards/sandbox/sandbox.ts";
import { rewardBatch } from "../batch.ts";
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

Deno.test("withSandbox() ends an idle sandbox when its run is aborted", async () => {
  const run = new AbortController();
  const sandbox = await withSandbox({ ...REQUEST, signal: run.signal }, (sandbox) => Promise.resolve(sandbox));
  run.abort();
  assert.equal(sandbox.alive, false);
  await closeSandboxes();
  await sandbox.close();
});

Deno.test("withSandbox() ends a busy sandbox at once and throws the reason of the abort", async () => {
  const run = new AbortController(), reason = new Error("asked to stop");
  const path = fromFileUrl(new URL("../user_rewards/behaves.ts", import.meta.url));
  const request = { ...REQUEST, path, limits: { ...REQUEST.limits, timeoutMs: 3_600_000 }, signal: run.signal };
  let busy: Sandbox | undefined;
  const asked = withSandbox(request, (sandbox) => {
    busy = sandbox;
    setTimeout(() => run.abort(reason), 50);
    return sandbox.ask({ batch: rewardBatch(["bad"]), options: { does: "loops", at: "bad" } }, 1);
  });
  await assert.rejects(asked, (error) => error === reason);
  assert.equal(busy!.alive, false);
  await assert.rejects(withSandbox(request, () => assert.fail("was asked")), (error) => error === reason);
});

Deno.test("withSandbox() ends a file that loops while it loads when its run is aborted", async () => {
  const run = new AbortController(), reason = new Error("asked to stop");
  const path = fromFileUrl(new URL("../user_rewards/loops_on_load.js", import.meta.url));
  setTimeout(() => run.abort(reason), 300);
  const asked = withSandbox({ ...REQUEST, path, signal: run.signal }, () => assert.fail("was loaded"));
  await assert.rejects(asked, (error) => error === reason);
});
