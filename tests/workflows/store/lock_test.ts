/** One holder at a time, a dead one is replaced. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { acquireLock, LockHeldError } from "../../../workflows/store/lock.ts";
import { withFolder } from "../engine/fake_runs.ts";

Deno.test("acquireLock() refuses a second holder and names the first", () =>
  withFolder((folder) => {
    const lock = acquireLock(folder, new Date("2026-01-02T03:04:05Z"));
    assert.equal(lock.stale, null);
    assert.throws(() => acquireLock(folder, new Date()), (error: unknown) => {
      assert.ok(error instanceof LockHeldError);
      assert.equal(error.holder!.pid, Deno.pid);
      assert.match(
        error.message,
        /Cannot lock .*lock: process \d+ on .* \(since 2026-01-02T03:04:05.000Z\) holds it; /,
      );
      return true;
    });
    lock.release();
    const next = acquireLock(folder, new Date());
    assert.equal(next.stale, null);
    next.release();
  }));

Deno.test("acquireLock() takes over the lock of a process that is gone and says whose", () =>
  withFolder((folder) => {
    Deno.writeTextFileSync(join(folder, "lock"), '{"pid":99999999,"host":"old","time":"2026-01-01T00:00:00.000Z"}\n');
    const lock = acquireLock(folder, new Date());
    assert.deepEqual(lock.stale, { pid: 99999999, host: "old", time: "2026-01-01T00:00:00.000Z" });
    lock.release();
  }));
