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

Deno.test("report of a run whose run.json was cut off or is gone shows its tables, and says so", () =>
  withRuns(async (runs) => {
    const manifest = join(runs, RUN_A, "run.json"), page = join(runs, RUN_A, "report.html");
    const whole = await Deno.readTextFile(manifest);
    for (
      const text of [whole.slice(0, whole.indexOf('"versions"')), whole.slice(0, whole.indexOf('"about"')), "", null]
    ) {
      if (text === null) await Deno.remove(manifest);
      else await Deno.writeTextFile(manifest, text);
      const { code, err } = await inProcess(["report", "aaaa", "--open", "no", "--runs", runs]);
      assert.deepEqual([code, err], [0, ""]);
      const html = await Deno.readTextFile(page);
      assert.match(html, /<p class="reason">Cannot read all of run\.json: [^<]*the run is shown by its tables</);
      assert(html.includes("<b>Reward</b>") && html.includes("Cannot tell."));
      assert.equal(html.includes("<dt>seed</dt>"), text !== null && text.includes('"seed"'));
      assert.equal(html.includes('class="status damaged"'), !text?.includes('"status"'));
    }
  }));
