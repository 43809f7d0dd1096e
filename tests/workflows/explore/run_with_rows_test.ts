import assert from "node:assert/strict";
import { join } from "node:path";
import { segmentPath } from "../../../data/run_folder.ts";
import { encodeTable, tableOfRows } from "../../../data/tables/mod.ts";
import { findRun } from "../../../workflows/explore/find_run.ts";
import { openRun } from "../../../workflows/explore/open.ts";
import { earlierWithRows, hasRows } from "../../../workflows/explore/run_with_rows.ts";
import { watch } from "../../../workflows/explore/watch.ts";
import { acquireLock } from "../../../workflows/store/lock.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "../cli/fabricated_run.ts";

/** A run that has begun: its prompts are loaded, no train step is done. */
function begun(runs: string, id: string): string {
  const folder = fabricateRun(runs, id, { status: "running", finished: null });
  for (const { name } of Deno.readDirSync(join(folder, "tables"))) {
    Deno.removeSync(join(folder, "tables", name), { recursive: true });
  }
  Deno.mkdirSync(join(folder, "tables", "settings"));
  const settings = tableOfRows("settings", [{ name: "group_size", value: "8" }]);
  Deno.writeFileSync(join(folder, segmentPath("settings", 0, 0)), encodeTable("settings", settings));
  return folder;
}

async function warnings(body: () => Promise<void>): Promise<string[]> {
  const warn = console.warn, told: string[] = [];
  console.warn = (text: string) => told.push(text);
  try {
    await body();
  } finally {
    console.warn = warn;
  }
  return told;
}

const BEGUN = "20260301-000000-small-cccc", NEWEST = "20260302-000000-small-dddd";

Deno.test("last is the newest run to a notebook as to a command; of one without rows it is told, and of the one before", () =>
  withRuns(async (runs) => {
    const open = async (typed: string, id: string) =>
      await warnings(async () => assert.equal((await openRun(typed, runs)).manifest?.id, id));
    assert.deepEqual(await open("last", RUN_B), []);
    const first = begun(runs, BEGUN), newest = begun(runs, NEWEST);
    assert.equal(findRun("last", runs), newest);
    const none = `Opened ${NEWEST}, the newest run: it has no rows`;
    assert.deepEqual(await open("last", NEWEST), [`${none}; the run before it: openRun("${RUN_B}")`]);
    const lock = acquireLock(newest, new Date(0));
    assert.deepEqual(await open("last", NEWEST), [`${none} yet; the run before it: openRun("${RUN_B}")`]);
    lock.release();
    assert.deepEqual(await open(NEWEST, NEWEST), [], "who names it by its id knows it");
    for (const id of [RUN_A, RUN_B, BEGUN]) Deno.removeSync(join(runs, id), { recursive: true });
    assert.deepEqual(await open("last", NEWEST), [none]);
    assert.equal(earlierWithRows(first), null);
  }));

Deno.test("a run has rows once it was trained or measured, also where only its events tell of it", () =>
  withRuns((runs) => {
    const first = begun(runs, BEGUN), newest = begun(runs, NEWEST);
    assert.deepEqual([RUN_A, BEGUN].map((id) => hasRows(join(runs, id))), [true, false]);
    assert.equal(earlierWithRows(newest), RUN_B);
    Deno.writeTextFileSync(join(first, "events.jsonl"), '{"event":"train_step","train_step":1}\n');
    assert.equal(hasRows(first), true);
    assert.equal(earlierWithRows(newest), BEGUN);
    assert.equal(earlierWithRows(first), RUN_B);
  }));

Deno.test("watch() of last right after a start follows the run that was started", () =>
  withRuns(async (runs) => {
    const folder = begun(runs, NEWEST), lock = acquireLock(folder, new Date(0));
    const stop = new AbortController(), drawn: number[] = [];
    try {
      const told = await warnings(async () => {
        const display = () => {
          drawn.push(1);
          stop.abort();
          return Promise.resolve();
        };
        const watched = watch("last", { charts: ["reward"], every: 0.01, display, signal: stop.signal, runs });
        const event = { event: "train_step", phase: "rollout", train_step: 1, reward: 1 };
        Deno.writeTextFileSync(join(folder, "events.jsonl"), JSON.stringify(event) + "\n");
        assert.equal((await watched).manifest?.id, NEWEST);
      });
      assert.deepEqual([told, drawn.length], [[], 2], "as it came, and once more with a picture at the end");
    } finally {
      lock.release();
    }
  }));
