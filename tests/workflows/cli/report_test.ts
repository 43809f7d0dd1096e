import assert from "node:assert/strict";
import { join } from "node:path";
import { RUN_A, withRuns } from "./fabricated_run.ts";
import { inProcess } from "./in_process.ts";

Deno.test("report writes the page of a run and prints where it is", () =>
  withRuns(async (runs) => {
    const { code, out } = await inProcess(["report", "aaaa", "--open", "no", "--runs", runs]);
    assert.equal(code, 0);
    const page = join(runs, RUN_A, "report.html");
    assert.equal(out.trimEnd(), page);
    assert.match(await Deno.readTextFile(page), /<h2>Sampled completions<\/h2>/);
  }));

Deno.test("report of a run that is not there lists those that are, exit 2", () =>
  withRuns(async (runs) => {
    const { code, err } = await inProcess(["report", "zzzz", "--runs", runs]);
    assert.equal(code, 2);
    assert.match(err, /Cannot find run "zzzz".*small-aaaa, .*small-bbbb/);
  }));
