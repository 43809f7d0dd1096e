/** Real processes that are killed, signalled or run out of disk: whatever happens, the run can go on. @module */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkpointNames } from "../../../workflows/store/retention.ts";
import { fakeRun, rowsOnDisk, withFolder } from "./fake_runs.ts";
import { SAVING } from "./fake_child.ts";
import { DENO_RUN } from "../cli/command_line.ts";
import { same } from "../../same.ts";

const CHILD = new URL("./fake_child.ts", import.meta.url).pathname;

function child(...args: string[]): Deno.ChildProcess {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...DENO_RUN, CHILD, ...args],
    stdout: "piped",
    stderr: "piped",
  });
  return command.spawn();
}

/** Reads events until one is wanted, then calls `then` once; the rest is drained. */
async function events(
  process: Deno.ChildProcess,
  wanted: (event: Record<string, unknown>) => boolean,
  then: () => void,
): Promise<Record<string, unknown>[]> {
  const seen: Record<string, unknown>[] = [];
  let rest = "", done = false;
  for await (const chunk of process.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const event = JSON.parse(line);
      seen.push(event);
      if (!done && wanted(event)) {
        done = true;
        then();
      }
    }
  }
  await process.stderr.cancel();
  return seen;
}

Deno.test("a run killed -9 during its saves resumes to bitwise the same end", () =>
  withFolder(async (runs) => {
    const whole = await fakeRun(SAVING, { runs, runId: "whole" });
    const want = rowsOnDisk(whole.folder);
    for (let kill = 0; kill < 6; kill++) {
      const id = `killed_${kill}`;
      const process = child(runs, id, "new");
      // Killed a different number of milliseconds after a different checkpoint: inside a save, or between two.
      const after = (step: number) => (event: Record<string, unknown>) =>
        event.event === "checkpoint" && event.train_step === step;
      await events(process, after(1 + 2 * kill), () => setTimeout(() => killed(process), kill % 3));
      const { signal } = await process.status;
      const resumed = await fakeRun(SAVING, { runs, resume: id });
      assert.equal(resumed.status, "ok", `after kill ${kill} (${signal}): ${resumed.reason}`);
      same(resumed.hooks.policy!.weights, whole.hooks.policy!.weights, `weights after kill ${kill}`);
      same(rowsOnDisk(resumed.folder), want, `rows after kill ${kill}`);
      assert.ok(checkpointNames(resumed.folder).length >= 1);
    }
  }));

/** The process may have ended by itself. */
function killed(process: Deno.ChildProcess): void {
  try {
    process.kill("SIGKILL");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
  Deno.test(`a run stops at the next safe point after ${signal} and exits ${code}`, () =>
    withFolder(async (runs) => {
      const process = child(runs, "signalled", "new", "5");
      const seen = await events(process, ({ event, train_step }) => event === "train_step" && train_step === 2, () => {
        // Twice within a second, as npx delivers it.
        process.kill(signal);
        process.kill(signal);
      });
      assert.equal((await process.status).code, code);
      assert.equal(seen[0]!.pid, process.pid);
      const last = seen.at(-1)!;
      assert.deepEqual([last.event, last.status, last.reason], ["run_finished", "interrupted", signal]);
      assert.match(String(seen.at(-2)!.text), /resume with: .* run --resume signalled --runs \S+$/);
      const resumed = await fakeRun(SAVING, { runs, resume: "signalled" });
      const whole = await fakeRun(SAVING, { runs });
      same(resumed.hooks.policy!.weights, whole.hooks.policy!.weights);
      assert.ok(existsSync(join(resumed.folder, "events.jsonl")));
    }));
}

/** Whether a program could be run and succeeded. */
function command(program: string, ...args: string[]): boolean {
  try {
    return new Deno.Command(program, { args, stdout: "null", stderr: "null" }).outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied) return false;
    throw error;
  }
}

/** Mounts a small file system, or null where that is not permitted. */
function mountSmall(folder: string, kilobytes: number): (() => void) | null {
  if (Deno.build.os !== "linux" || !command("mount", "-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", folder)) {
    return null;
  }
  return () => assert.ok(command("umount", folder), "the small file system could not be unmounted");
}

Deno.test("a full disk fails the run in one line and leaves the last checkpoint intact", () =>
  withFolder(async (folder) => {
    const unmount = mountSmall(folder, 320);
    if (unmount === null) return console.log("skipped: mounting a small file system is not permitted here");
    try {
      const run = await fakeRun(SAVING, { runs: folder, runId: "full" });
      assert.equal(run.status, "failed");
      assert.match(run.reason!, /^Cannot write .*full.*: \d+ bytes, No space left on device; free space [^\n]*$/);
      const names = checkpointNames(run.folder);
      assert.ok(names.length >= 1);
      assert.equal(run.events.at(-1)!.event, "run_finished");
      assert.ok(command("mount", "-o", "remount,size=8m", folder));
      const resumed = await fakeRun(SAVING, { runs: folder, resume: "full" });
      assert.equal(resumed.status, "ok", resumed.reason ?? "");
      assert.ok(resumed.events.some(({ text }) => text === `Resumed from checkpoint ${names.at(-1)}`));
      unmount();
    } catch (error) {
      unmount();
      throw error;
    }
  }));

Deno.test("a runs folder that cannot be made is one line with its path", () =>
  withFolder(async (folder) => {
    const file = join(folder, "file");
    Deno.writeTextFileSync(file, "");
    await assert.rejects(() => fakeRun(SAVING, { runs: join(file, "runs") }), /^Error: Cannot write .*file\/runs/);
  }));
