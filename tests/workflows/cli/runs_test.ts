import assert from "node:assert/strict";
import { join } from "node:path";
import { age } from "../../../workflows/cli/runs.ts";
import { commandLine } from "../../../workflows/terminal/command_line.ts";
import type { RunManifestInput } from "../../../data/run_folder.ts";
import { acquireLock } from "../../../workflows/store/lock.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "./fabricated_run.ts";
import { inProcess, jsonLines, onTerminal } from "./in_process.ts";

Deno.test("age() reads minutes, hours, days and weeks", () => {
  assert.deepEqual(["30m", "12h", "7d", "2w"].map(age), [1.8e6, 4.32e7, 6.048e8, 1.2096e9]);
  assert.throws(() => age("7"), /want a number and m, h, d or w/);
});

Deno.test("runs list shows status, accuracy, time and size of every run, and what is damaged", () =>
  withRuns(async (runs) => {
    fabricateRun(runs, "20260103-000000-small-cccc", { status: "running", finished: null });
    Deno.mkdirSync(join(runs, "20260104-000000-small-dddd"));
    Deno.writeTextFileSync(join(runs, "20260104-000000-small-dddd", "run.json"), "{");
    const { code, out } = await inProcess(["runs", "list", "--runs", runs]);
    assert.equal(code, 0);
    assert.match(out, /20260102-030405-small-aaaa +ok +2 +50\.0 % +75\.0 % +1 min 15 s/);
    assert.match(out, /small-cccc +killed +2 /);
    assert.match(out, /^3 runs, /m);
    assert.match(out, /Cannot .*dddd.*run\.json/);
    const json = await inProcess(["runs", "--json", "--runs", runs]);
    assert.match(json.err, /Cannot .*dddd.*run\.json/);
    const listed = jsonLines(json.out);
    assert.deepEqual(listed.map(({ run, after }) => [run, after]).slice(0, 2), [[RUN_A, 0.75], [RUN_B, 0.25]]);
  }));

Deno.test("runs list and show tell the cells of a matrix apart, and what was measured in another mode", () =>
  withRuns(async (runs) => {
    const evaluations = { before: { sampled: null, greedy: 0.125 }, after: { greedy: 0.5 } };
    fabricateRun(runs, "20260103-000000-small-cccc", { matrix: { learning_rate: 0.001 }, evaluations });
    const { out } = await inProcess(["runs", "list", "--runs", runs]);
    assert.match(out, /^run +cell +status +steps +before +after /);
    assert.match(out, /small-cccc +learning_rate=0\.001 +ok +2 +12\.5 % greedy +50\.0 % greedy +1 min 15 s/);
    const [, , cell] = jsonLines((await inProcess(["runs", "--json", "--runs", runs])).out);
    assert.deepEqual([cell!["before"], cell!["after"]], [0.125, 0.5]);
    assert.deepEqual([cell!["matrix"], cell!["evaluations"]], [{ learning_rate: 0.001 }, evaluations]);
    assert.match((await inProcess(["runs", "show", "last", "--runs", runs])).out, /^cell +learning_rate=0\.001$/m);
  }));

Deno.test("runs list at 80 columns keeps the ids of forks and the findings, and goes without sizes and times", () =>
  withRuns(async (runs) => {
    const fork = "20260103-000000-first_run-cccc.r1a";
    const findings = [{ cause: "zero_reward_variance", severity: "error" }];
    fabricateRun(runs, fork, { findings: findings as unknown as NonNullable<RunManifestInput["findings"]> });
    const { out } = await onTerminal(["runs", "list", "--runs", runs]);
    assert.match(out, /^run +status +after +finding$/m);
    assert.match(out, new RegExp(`^${fork} +ok .* zero_reward_variance$`, "m"));
  }));

Deno.test("runs list of an empty folder says how to start", () =>
  withRuns(async (runs) => {
    const { code, out } = await inProcess(["runs", "list", "--runs", join(runs, "none")]);
    assert.equal(code, 0);
    const start = commandLine(["start", "--runs", `${runs}/none`]);
    assert.equal(out, `No runs in ${runs}/none; start one with: ${start}\n`);
  }));

Deno.test("runs show tells status, reason, machine and results of one run", () =>
  withRuns(async (runs) => {
    fabricateRun(runs, "20260103-000000-small-cccc", { status: "failed", reason: "Cannot do it" });
    const { out } = await inProcess(["runs", "show", "last", "--runs", runs]);
    assert.match(out, /^status +failed: Cannot do it$/m);
    assert.match(out, /^machine +seed 1, cpu, ffi, 2 threads, x86_64$/m);
    assert.match(out, /^started +2026-01-02 03:04:05 UTC, 1 min 15 s$/m);
    assert.match(out, /^ +sampled +50\.0 % +75\.0 %$/m);
    const { out: json } = await inProcess(["runs", "show", "last", "--json", "--runs", runs]);
    const { id, status, checkpoints } = JSON.parse(json);
    assert.deepEqual({ id, status, checkpoints }, {
      id: "20260103-000000-small-cccc",
      status: "failed",
      checkpoints: [],
    });
    const wrong = await inProcess(["runs", "show", "--runs", runs]);
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /^Cannot run "runs show": no run is named; want runs show RUN$/m);
  }));

Deno.test("runs compare gives what differs, and says so when nothing does", () =>
  withRuns(async (runs) => {
    const { out } = await inProcess(["runs", "compare", RUN_A, RUN_B, "--runs", runs, "--json"]);
    assert.deepEqual(JSON.parse(out).differences, [
      { name: "seed", values: [1, 2] },
      { name: "after.sampled", values: [0.75, 0.25] },
    ]);
    fabricateRun(runs, `${RUN_A.slice(0, -4)}cccc`);
    assert.match((await inProcess(["runs", "compare", RUN_A, "cccc", "--runs", runs])).out, /differ in nothing/);
  }));

Deno.test("runs remove asks first, spares a live run, and takes runs by age", () =>
  withRuns(async (runs) => {
    const left = () => [...Deno.readDirSync(runs)].map(({ name }) => name).sort();
    const lock = acquireLock(join(runs, RUN_B), new Date(0));
    const live = await inProcess(["runs", "remove", RUN_B, "--yes", "--runs", runs]);
    assert.equal(live.code, 2);
    assert.match(live.err, /it is running; stop it first/);
    lock.release();
    assert.equal((await inProcess(["runs", "remove", "--runs", runs])).code, 2);
    const removed = await inProcess(["runs", "remove", "last", "--yes", "--runs", runs]);
    assert.match(removed.out, /Removed 1 run, /);
    assert.deepEqual(left(), [RUN_A]);
    fabricateRun(runs, RUN_B, { created: new Date(Date.now() + 60e3).toISOString() });
    await inProcess(["runs", "remove", "--older-than", "1m", "--yes", "--runs", runs]);
    assert.deepEqual(left(), [RUN_B]);
    Deno.writeTextFileSync(join(runs, RUN_B, "run.json"), "{");
    await inProcess(["runs", "remove", RUN_B, "--yes", "--runs", runs]);
    assert.deepEqual(left(), []);
  }));

Deno.test({
  name: "runs list names a run that the system does not let us read, and shows the others",
  ignore: Deno.build.os !== "linux", // The superuser may read everything but this; Deno without all permissions refuses it.
  fn: () =>
    withRuns(async (runs) => {
      const id = "20270101-000000-closed-zzzz";
      await Deno.mkdir(join(runs, id));
      await Deno.symlink("/proc/self/mem", join(runs, id, "run.json"));
      const { code, out } = await inProcess(["runs", "list", "--runs", runs]);
      assert.equal(code, 0);
      assert(out.includes(RUN_A) && out.includes(RUN_B));
      assert.match(out, new RegExp(`^Cannot read run ${id}: (?:Input/output error$|Requires all access)`, "m"));
    }),
});
