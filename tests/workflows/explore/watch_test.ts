import assert from "node:assert/strict";
import { join } from "node:path";
import { watch } from "../../../workflows/explore/watch.ts";
import { acquireLock } from "../../../workflows/store/lock.ts";
import { writeManifest } from "../../../workflows/store/manifest.ts";
import { readManifest } from "../../../workflows/store/manifest.ts";
import { fabricateRun, RUN_A, withRuns } from "../cli/fabricated_run.ts";

const event = (train_step: number) =>
  JSON.stringify({ event: "train_step", phase: "rollout", train_step, reward: 1 }) + "\n";

Deno.test("watch() draws a run anew in place after its train steps, and with pictures at its end", () =>
  withRuns(async (runs) => {
    const folder = fabricateRun(runs, RUN_A, { status: "running", finished: null });
    const lock = acquireLock(folder, new Date(0)); // as a run that goes on holds it
    const seen: { id: string; update: boolean; png: boolean; steps: number }[] = [];
    const run = await watch(folder, {
      charts: ["reward", "critic"],
      every: 0.01,
      display: (bundle, { id, update }) => {
        const { data } = bundle["application/vnd.vegalite.v5+json"] as { data: { values: { train_step: number }[] } };
        const steps = new Set(data.values.map(({ train_step }) => train_step)).size;
        seen.push({ id, update, png: "image/png" in bundle, steps });
        if (seen.length === 1) Deno.writeTextFileSync(join(folder, "events.jsonl"), event(3));
        else if (seen.length === 2) {
          writeManifest(folder, { ...readManifest(folder), status: "ok" });
          lock.release();
        }
        return Promise.resolve();
      },
    });
    assert.deepEqual(seen.map(({ update, png }) => [update, png]), [[false, false], [true, false], [true, true]]);
    assert.equal(new Set(seen.map(({ id }) => id)).size, 1);
    assert.equal(run.manifest?.status, "ok");
  }));

Deno.test("watch() ends when it is interrupted", () =>
  withRuns(async (runs) => {
    const folder = fabricateRun(runs, RUN_A, { status: "running", finished: null });
    const lock = acquireLock(folder, new Date(0)), stop = new AbortController();
    const display = () => Promise.resolve(stop.abort());
    assert.equal((await watch(folder, { every: 60, display, signal: stop.signal })).status, "running");
    lock.release();
  }));

Deno.test("watch() ends with a run that was killed, and says so", () =>
  withRuns(async (runs) => {
    const folder = fabricateRun(runs, RUN_A, { status: "running", finished: null });
    const lock = acquireLock(folder, new Date(0)), stop = new AbortController(), pictures: boolean[] = [];
    const display = (bundle: object) => {
      pictures.push("image/png" in bundle);
      if (pictures.length === 1) lock.release(); // its process is gone, its manifest says that it runs
      return Promise.resolve();
    };
    const late = setTimeout(() => stop.abort(), 5000); // who waits for ever
    const run = await watch(folder, { charts: ["reward"], every: 0.01, display, signal: stop.signal });
    assert.deepEqual([run.status, stop.signal.aborted, pictures], ["killed", false, [false, true]]);
    clearTimeout(late);
  }));
