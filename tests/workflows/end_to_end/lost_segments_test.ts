/** A segment that was changed or removed since it was written: every reader says so, none shows another value. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { segmentPath } from "../../../data/run_folder.ts";
import { storedTables } from "../../../data/stored_tables.ts";
import { openRun, readableRun } from "../../../workflows/explore/open.ts";
import { flipBit, logSegments, RUN_A, withRuns } from "../cli/fabricated_run.ts";
import { inProcess } from "../cli/in_process.ts";

const METRICS = segmentPath("metrics", 1, 2), COMPLETIONS = segmentPath("completions", 1, 2);
const CHANGED =
  /metrics\/1-2\.arrow: it is not as it was written: sha256 [0-9a-f]{12}…, want [0-9a-f]{12}… of segments/;

/** A run whose log lists its segments. */
const withListed = (check: (runs: string, folder: string) => Promise<void>) =>
  withRuns(async (runs) => {
    logSegments(join(runs, RUN_A), METRICS, COMPLETIONS);
    await check(runs, join(runs, RUN_A));
  });

const exportOf = (runs: string) =>
  inProcess(["export", RUN_A, "--format", "csv", "--out", join(runs, "out"), "--runs", runs]);

/** Runs `check` and gives what it warned of. */
async function warnings(check: () => Promise<unknown>): Promise<string[]> {
  const told: string[] = [], warn = console.warn;
  console.warn = (text: string) => told.push(text);
  try {
    await check();
  } finally {
    console.warn = warn;
  }
  return told;
}

Deno.test("one flipped bit in a segment is an error of openRun(), export and the doctor, and told on the pages", () =>
  withListed(async (runs, folder) => {
    flipBit(join(folder, METRICS));
    const opened = await openRun(folder);
    assert.throws(() => opened.tables.metrics, CHANGED);
    assert.throws(
      () => opened.tables.metrics,
      /want .*; put back a copy of it, or move it away to read the other rows$/,
    );
    assert.equal(opened.completions.numRows(), 4);
    const { code, err } = await exportOf(runs);
    assert.equal(code, 2);
    assert.match(err, CHANGED);
    assert.match(storedTables(folder).damaged[0]!.reason, /^it is not as it was written/);
    await inProcess(["report", RUN_A, "--open", "no", "--runs", runs]);
    assert.match(
      await Deno.readTextFile(join(folder, "report.html")),
      /class="reason">Cannot read tables\/metrics\/1-2/,
    );
    const readable = readableRun(folder);
    assert.equal(readable.tables.metrics.numRows(), 0);
    assert.match(readable.lost.join(), CHANGED);
  }));

Deno.test("one flipped bit in a table that is read lazily is an error where a column is looked at", () =>
  withListed(async (_runs, folder) => {
    const path = join(folder, COMPLETIONS), bytes = Deno.readFileSync(path);
    const at = bytes.findIndex((_, i) => new TextDecoder().decode(bytes.subarray(i, i + 4)) === "1+1=");
    bytes[at]! ^= 1;
    Deno.writeFileSync(path, bytes);
    const { completions } = await openRun(folder);
    assert.throws(() => completions.get("reward", 0), /completions\/1-2\.arrow: it is not as it was written/);
  }));

Deno.test("a segment that is gone is told by openRun(), export, the doctor and the report", () =>
  withListed(async (runs, folder) => {
    await Deno.remove(join(folder, METRICS));
    const lost = /metrics\/1-2\.arrow: it is not there, and segments\.jsonl lists it; its rows are lost/;
    const [told, ...more] = await warnings(() => openRun(folder));
    assert.match(told!, lost);
    assert.deepEqual(more, []);
    const { code, err } = await exportOf(runs);
    assert.equal(code, 0);
    assert.match(err, lost);
    const { out } = await inProcess(["diagnose", folder]);
    assert.match(out, /metrics\/1-2\.arrow/);
    await inProcess(["report", RUN_A, "--open", "no", "--runs", runs]);
    assert.match(await Deno.readTextFile(join(folder, "report.html")), lost);
    const readable = readableRun(folder);
    assert.equal(readable.tables.metrics.numRows(), 0);
    assert.match(readable.lost.join(), lost);
  }));
