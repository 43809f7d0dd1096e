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

Deno.test("acquireLock() moves aside what is no plain file: it neither waits for a pipe nor follows a link", {
  ignore: Deno.build.os === "windows",
}, () =>
  withFolder((folder) => {
    const path = join(folder, "lock"), foreign = join(folder, "foreign");
    Deno.writeTextFileSync(foreign, "theirs");
    const puts = [
      () => new Deno.Command("mkfifo", { args: [path] }).outputSync(),
      () => Deno.mkdirSync(path),
      () => Deno.symlinkSync("lock", path),
      () => Deno.symlinkSync(foreign, path),
    ];
    for (const [i, put] of puts.entries()) {
      put();
      const lock = acquireLock(folder, new Date());
      lock.release();
      assert.equal(lock.aside, `set_aside/${i + 1}/lock`);
      assert.ok(Deno.lstatSync(path).isFile);
      assert.ok(!Deno.lstatSync(join(folder, "set_aside", String(i + 1), "lock")).isFile);
      Deno.removeSync(path);
    }
    assert.equal(Deno.readTextFileSync(foreign), "theirs");
  }));
