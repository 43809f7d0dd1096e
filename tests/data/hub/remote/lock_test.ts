import assert from "node:assert/strict";
import { join } from "node:path";
import { withLock } from "../../../../data/hub/remote/lock.ts";

Deno.test("withLock() lets one in after the other, and gives up waiting when it is ended", async () => {
  const folder = Deno.makeTempDirSync(), path = join(folder, "a/b.lock"), told: string[] = [], order: string[] = [];
  const client = { signal: new AbortController().signal, tell: (text: string) => told.push(text) };
  try {
    let free = () => {};
    const first = withLock(
      client,
      path,
      "x",
      () => new Promise((resolve) => free = () => (order.push("first"), resolve())),
    );
    const second = withLock(client, path, "x", () => (order.push("second"), Promise.resolve()));
    const stop = new AbortController();
    const third = withLock({ ...client, signal: stop.signal }, path, "x", () => assert.fail("it has no lock"));
    stop.abort(new Error("enough"));
    await assert.rejects(third, /enough/);
    free();
    await Promise.all([first, second]);
    assert.deepEqual(order, ["first", "second"]);
    assert.equal(told[0], "another program fetches x: waiting for it");
    await assert.rejects(withLock(client, path, "x", () => Promise.reject(new Error("broken"))), /broken/);
    await withLock(client, path, "x", () => Promise.resolve());
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
