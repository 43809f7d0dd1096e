import assert from "node:assert/strict";
import { join } from "node:path";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { acquireLock, LockHeldError } from "../../../workflows/store/lock.ts";
import { cronFiles } from "../../../workflows/cron/job.ts";
import { forgetInstalled, rememberInstalled, scheduledRun } from "../../../workflows/cron/scheduled_run.ts";
import { runIds } from "../../../workflows/explore/find_run.ts";
import { FILE, scheduledRun as fabricate, withFolder } from "./scheduled_history.ts";
import { scheduled } from "./some_job.ts";

const at = (text: string) => Temporal.Instant.from(text);

/** Starts the workflow of `entry` at a time; a run of that day is fabricated, with `exitCode`. */
async function start(
  runs: string,
  now: string,
  { entry = 'cron: "30 3 * * *"', when = "due", exitCode = 0, fails = false }: {
    readonly entry?: string;
    readonly when?: "due" | "now";
    readonly exitCode?: number;
    readonly fails?: boolean;
  } = {},
) {
  const said: string[] = [], started: unknown[] = [];
  const code = await scheduledRun({
    loaded: parseWorkflow(scheduled([entry]), FILE, { folder: "/home/me" }),
    file: FILE,
    runs,
    when,
    now: at(now),
    say: (line) => said.push(line),
    start: (manifest, seed) => {
      started.push([manifest.scheduled_for, seed]);
      if (fails) throw new RangeError("no such model");
      fabricate(runs, now.slice(0, 10), {
        status: exitCode === 0 ? "ok" : "failed",
        scheduled_for: manifest.scheduled_for,
      });
      return Promise.resolve(exitCode);
    },
  });
  return { code, said: said.join("\n"), started };
}

Deno.test("scheduledRun() starts what is due, once, and says why it does not start the rest", () =>
  withFolder(async (runs) => {
    const first = await start(runs, "2026-01-02T03:30:04Z", { exitCode: 1 });
    assert.deepEqual([first.code, first.started], [1, [["2026-01-02T03:30:00Z", null]]]);
    assert.equal(first.said, "nightly: scheduled for Fri 2026-01-02 03:30 UTC");
    const again = await start(runs, "2026-01-02T03:30:30Z");
    assert.deepEqual([again.code, again.started], [0, []]);
    assert.match(
      again.said,
      /^nightly: 20260102-033000-nightly-aaaa was started for .*; next: Sat 2026-01-03 03:30 UTC$/,
    );
    assert.deepEqual((await start(runs, "2026-01-02T16:00:00Z")).started, []);
    assert.deepEqual((await start(runs, "2026-01-02T16:00:00Z", { when: "now" })).started.length, 1);
  }));

Deno.test("scheduledRun() gives a seed of its own where the entry wants one", () =>
  withFolder(async (runs) => {
    const { started } = await start(runs, "2026-01-02T03:30:00Z", { entry: 'cron: "30 3 * * *", new_seed: true' });
    assert.deepEqual(started, [["2026-01-02T03:30:00Z", Date.parse("2026-01-02T03:30:00Z") / 60e3]]);
  }));

Deno.test("scheduledRun() keeps as many runs as it is told", () =>
  withFolder(async (runs) => {
    for (const day of ["02", "03", "04"]) {
      await start(runs, `2026-01-${day}T03:30:00Z`, { entry: 'cron: "30 3 * * *", keep_runs: 2' });
    }
    assert.deepEqual(runIds(runs).map((id) => id.slice(0, 8)), ["20260103", "20260104"]);
  }));

Deno.test("scheduledRun() tells of what could not start, and throws it on", () =>
  withFolder(async (runs) => {
    const told = join(runs, "told"), entry = `cron: "30 3 * * *", notify: { command: [sh, -c, "cat > ${told}"] }`;
    const loaded = parseWorkflow(scheduled([entry]), FILE, { folder: runs });
    const fails = scheduledRun({
      loaded,
      file: join(runs, "nightly.yaml"),
      runs,
      when: "now",
      now: at("2026-01-02T04:00:00Z"),
      say: () => {},
      start: () => Promise.reject(new RangeError("no such model")),
    });
    await assert.rejects(fails, /no such model/);
    const { event, error, scheduled_for } = JSON.parse(Deno.readTextFileSync(told));
    assert.deepEqual([event, error, scheduled_for], ["failure", "no such model", "2026-01-02T03:30:00Z"]);
  }));

Deno.test("scheduledRun() is refused while an earlier start still runs", () =>
  withFolder(async (runs) => {
    const { state } = cronFiles({ runs, name: "nightly" });
    Deno.mkdirSync(state, { recursive: true });
    const lock = acquireLock(state, new Date(0));
    await assert.rejects(start(runs, "2026-01-02T03:30:00Z"), LockHeldError);
    lock.release();
    assert.equal((await start(runs, "2026-01-02T03:30:00Z")).code, 0);
  }));

Deno.test("rememberInstalled() keeps the first time, until it is forgotten", () =>
  withFolder(async (runs) => {
    const job = { runs, name: "nightly" }, entry = 'cron: "30 3 * * *", catch_up: one';
    rememberInstalled(job, at("2026-01-02T08:00:00Z"));
    rememberInstalled(job, at("2025-01-01T00:00:00Z"));
    assert.deepEqual((await start(runs, "2026-01-02T09:00:00Z", { entry })).started, []);
    forgetInstalled(job);
    assert.match((await start(runs, "2026-01-02T09:00:00Z", { entry })).said, /, caught up$/);
  }));
