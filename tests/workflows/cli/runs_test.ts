import assert from "node:assert/strict";
import { join } from "node:path";
import { findRun, isLive } from "../../../workflows/cli/find_run.ts";
import { UsageError } from "../../../workflows/cli/command.ts";
import { age } from "../../../workflows/cli/runs.ts";
import { acquireLock } from "../../../workflows/store/lock.ts";
import { writeManifest } from "../../../workflows/store/manifest.ts";
import { commandLine } from "./command_line.ts";

function fabricate(
  runs: string,
  id: string,
  changes: { created?: string; seed?: number; sampled?: number } = {},
): void {
  Deno.mkdirSync(join(runs, id), { recursive: true });
  writeManifest(join(runs, id), {
    format: 1,
    id,
    name: "small",
    about: "a fabricated run",
    status: "ok",
    created: changes.created ?? "2026-01-02T03:04:05.000Z",
    finished: "2026-01-02T03:05:20.000Z",
    workflow: "small.yaml",
    params: { size: 4 },
    seed: changes.seed ?? 1,
    device: "cpu",
    backend: "ffi",
    threads: 2,
    cpu_class: "x86_64",
    versions: { nonzero: "0.1.0" },
    train_step: 9,
    evaluations: { before: { sampled: 0.5, greedy: null }, after: { sampled: changes.sampled ?? 0.75, greedy: null } },
  });
}

async function withRuns(body: (runs: string) => Promise<void> | void): Promise<void> {
  const runs = await Deno.makeTempDir();
  try {
    fabricate(runs, "20260102-030405-small-aaaa");
    fabricate(runs, "20260102-030405-small-bbbb", { seed: 2, sampled: 0.25 });
    await body(runs);
  } finally {
    await Deno.remove(runs, { recursive: true });
  }
}

Deno.test("findRun() takes an id, a unique part of it, a folder and last; and says what there is", () =>
  withRuns((runs) => {
    const [a, b] = ["20260102-030405-small-aaaa", "20260102-030405-small-bbbb"].map((id) => join(runs, id));
    assert.equal(findRun("20260102-030405-small-aaaa", runs), a);
    assert.equal(findRun("20260102-030405-small-b", runs), b);
    assert.equal(findRun(a!, "/nowhere"), a);
    assert.equal(findRun("last", runs), b);
    assert.throws(() => findRun("2026", runs), /2 runs match; runs: .*aaaa, .*bbbb/);
    assert.throws(() => findRun("nothing", runs), UsageError);
  }));

Deno.test("isLive() is true while a process holds the lock", () =>
  withRuns((runs) => {
    const folder = join(runs, "20260102-030405-small-aaaa");
    assert(!isLive(folder));
    const lock = acquireLock(folder, new Date(0));
    assert(isLive(folder));
    lock.release();
    assert(!isLive(folder));
  }));

Deno.test("age() reads minutes, hours, days and weeks", () => {
  assert.deepEqual(["30m", "12h", "7d", "2w"].map(age), [1.8e6, 4.32e7, 6.048e8, 1.2096e9]);
  assert.throws(() => age("7"), /want a number and m, h, d or w/);
});

Deno.test("runs list, compare and remove show and do what they say", () =>
  withRuns(async (runs) => {
    const list = await commandLine(["runs", "list", "--runs", runs]);
    assert.match(list.out, /20260102-030405-small-aaaa +ok +9 +50\.0 % +75\.0 % +1 min 15 s/);
    const compare = await commandLine(
      ["runs", "compare", "20260102-030405-small-aaaa", "20260102-030405-small-bbbb", "--runs", runs, "--json"],
    );
    assert.deepEqual(JSON.parse(compare.out).differences, [
      { name: "seed", a: 1, b: 2 },
      { name: "after.sampled", a: 0.75, b: 0.25 },
    ]);
    const refused = await commandLine(["runs", "remove", "last", "--runs", runs]);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /use --yes/);
    const removed = await commandLine(["runs", "remove", "last", "--yes", "--runs", runs]);
    assert.match(removed.out, /Removed 1 run/);
    assert.deepEqual([...Deno.readDirSync(runs)].map(({ name }) => name), ["20260102-030405-small-aaaa"]);
  }));
