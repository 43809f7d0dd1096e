/** Names of the run folder and its manifest. @module */
import assert from "node:assert/strict";
import {
  checkpointName,
  checkRunId,
  checkTableName,
  isStamped,
  newRunId,
  parseCheckpoint,
  parseSegment,
  RUN_MANIFEST,
  type RunManifestInput,
  secondsOf,
  segmentPath,
  withoutStamp,
} from "../../data/run_folder.ts";

const MANIFEST: RunManifestInput = {
  format: 1,
  id: "20260102-030405-first_run-0abc",
  name: "first_run",
  about: "Teach a tiny model to add.",
  status: "running",
  created: "2026-01-02T03:04:05.000Z",
  workflow: "workflows/library/first_run.yaml",
  params: { train_steps: 150 },
  seed: 7,
  device: "cpu",
  backend: "ffi",
  threads: 2,
  cpu_class: "x86_64 avx2",
  versions: { deno: "2.9.6" },
};

Deno.test("withoutStamp() leaves name and suffix of an id, and another name as it is", () => {
  const id = newRunId("First run", new Date("2026-01-02T03:04:05Z"), 1);
  assert.equal(withoutStamp(id), "first_run-0001");
  for (const name of ["first_run", "20260102-030405", "20260102-0304-x", "a-20260102-030405-x", ""]) {
    assert.equal(withoutStamp(name), name);
  }
  const given = [id, id.slice(0, 15), id.slice(0, 20), id.slice(0, 12), "log.txt", `a${id}`, "20260102-0304051"];
  assert.deepEqual(given.map(isStamped), [true, true, true, false, false, false, false]);
});

Deno.test("newRunId() sorts by time, is a file name everywhere and passes checkRunId()", () => {
  const early = newRunId("First run: GRPO/é", new Date("2026-01-02T03:04:05.678Z"), 46655);
  assert.equal(early, "20260102-030405-first_run_grpo-0zzz");
  assert.ok(early < newRunId("a", new Date("2026-01-02T03:04:06Z"), 0));
  assert.equal(newRunId("::", new Date(0), 0), "19700101-000000-run-0000");
  assert.equal(checkRunId(early), early);
  assert.notEqual(newRunId("a", new Date(0), 1), newRunId("a", new Date(0), 2));
});

Deno.test("checkRunId() refuses what could leave the runs folder", () => {
  for (const id of ["", "..", "a/../b", "/etc", "a:b", "a\\b", "a\0", ".hidden", "x".repeat(200)]) {
    assert.throws(() => checkRunId(id), /Cannot use .* as a run id/, JSON.stringify(id));
  }
});

Deno.test("segmentPath() and parseSegment() are inverse; other names are not segments", () => {
  assert.equal(segmentPath("metrics", 1, 20), "tables/metrics/1-20.arrow");
  assert.deepEqual(parseSegment("1-20.arrow"), { first: 1, last: 20 });
  for (const name of [".tmp-1-20.arrow", "1-20.arrow.tmp", "20-1.arrow", "1.arrow", "-1-2.arrow"]) {
    assert.equal(parseSegment(name), null, name);
  }
  assert.throws(() => segmentPath("metrics", 2, 1), RangeError);
  assert.throws(() => segmentPath("metrics", 0.5, 1), RangeError);
});

Deno.test("checkpointName() and parseCheckpoint() are inverse", () => {
  assert.equal(checkpointName(40, 1), "40.1");
  assert.deepEqual(parseCheckpoint("40.1"), { trainStep: 40, update: 1 });
  for (const name of [".tmp-40.1", "40", "40.1.2", "a.1"]) assert.equal(parseCheckpoint(name), null, name);
  assert.throws(() => checkpointName(1, -1), /want integers from 0/);
});

Deno.test("RUN_MANIFEST fills defaults, keeps unknown keys, refuses a bad status", () => {
  const manifest = RUN_MANIFEST.parse({ ...MANIFEST, later: 1 });
  assert.deepEqual([manifest.finished, manifest.evaluations, manifest.train_step, manifest["later"]], [null, {}, 0, 1]);
  assert.deepEqual(RUN_MANIFEST.parse(JSON.parse(JSON.stringify(manifest))), manifest);
  assert.throws(() => RUN_MANIFEST.parse({ ...MANIFEST, status: "done" }));
  assert.throws(() => RUN_MANIFEST.parse({ ...MANIFEST, created: "yesterday" }));
});

Deno.test("checkTableName() lists the tables there are", () => {
  assert.equal(checkTableName("metrics"), "metrics");
  assert.throws(() => checkTableName("toString"), /Cannot read table "toString": a run has prompts, completions/);
});

Deno.test("secondsOf() leaves out the pause before a resume", () => {
  const ended = { ...MANIFEST, created: "2026-01-02T03:04:05Z", finished: "2026-01-02T05:04:05Z" };
  assert.equal(secondsOf(RUN_MANIFEST.parse(ended)), 7200);
  assert.equal(secondsOf(RUN_MANIFEST.parse({ ...ended, ms: 60_500 })), 60.5);
  assert.equal(secondsOf(RUN_MANIFEST.parse({ ...ended, finished: null, ms: 60_500 })), null);
});
