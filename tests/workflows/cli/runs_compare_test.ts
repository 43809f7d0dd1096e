import assert from "node:assert/strict";
import { join } from "node:path";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "./fabricated_run.ts";
import { inProcess, onTerminal } from "./in_process.ts";

const RUN_C = "20260102-030405-small-cccc";

Deno.test("runs compare lays three runs beside each other, in a column each", () =>
  withRuns(async (runs) => {
    fabricateRun(runs, RUN_C, { params: { size: 8 } });
    const { code, out } = await inProcess(["runs", "compare", "aaaa", "bbbb", "cccc", "--runs", runs]);
    assert.equal(code, 0);
    assert.match(out, /params\.size +4 +4 +8/);
    const { out: json } = await inProcess(["runs", "compare", RUN_A, RUN_B, RUN_C, "--json", "--runs", runs]);
    assert.deepEqual(JSON.parse(json).runs, [RUN_A, RUN_B, RUN_C]);
  }));

Deno.test("runs compare leaves day and time out of the heads where they have no room, and only there", () =>
  withRuns(async (runs) => {
    const args = ["runs", "compare", "aaaa", "bbbb", "cccc", "--runs", runs];
    fabricateRun(runs, RUN_C, { params: { size: 8 } });
    assert.match((await onTerminal(args)).out, /^ +small-aaaa +small-bbbb +small-cccc$/m);
    assert.match((await inProcess(args)).out, new RegExp(`^ +${RUN_A} +${RUN_B} +${RUN_C}$`, "m"));
  }));

Deno.test("runs compare --html writes one page, a foreign log beside our run", () =>
  withRuns(async (runs) => {
    const log = join(runs, "trainer_state.json"), page = join(runs, "page.html");
    await Deno.writeTextFile(log, JSON.stringify({ log_history: [1, 2].map((step) => ({ step, reward: step })) }));
    const { code, out } = await inProcess(["runs", "compare", RUN_A, log, "--html", page, "--runs", runs]);
    assert.deepEqual([code, out.trim()], [0, page]);
    const html = await Deno.readTextFile(page);
    assert.match(html, /small-aaaa[^]*trainer_state\.json/);
    assert.match(html, /class="legend">[^]*<\/svg>small<[^]*<\/svg>[^<]*trainer_state\.json</);
  }));

Deno.test("runs compare wants two runs, and --html is its own", () =>
  withRuns(async (runs) => {
    const one = await inProcess(["runs", "compare", RUN_A, "--runs", runs]);
    assert.deepEqual([one.code, /only one run is named/.test(one.err)], [2, true]);
    const list = await inProcess(["runs", "list", "--html", "x.html", "--runs", runs]);
    assert.deepEqual([list.code, /it does not take --html/.test(list.err)], [2, true]);
  }));

Deno.test("runs compare of a run with itself, or with one that is not there, says so and writes nothing", () =>
  withRuns(async (runs) => {
    const page = join(runs, "page.html");
    const twice = await inProcess([
      "runs",
      "compare",
      "aaaa",
      "bbbb",
      join(runs, RUN_A),
      "--html",
      page,
      "--runs",
      runs,
    ]);
    assert.equal(twice.code, 2);
    assert.match(
      twice.err,
      /^Cannot compare run ".*small-aaaa" with itself: it is named twice; want different runs\n$/,
    );
    const missing = await inProcess(["runs", "compare", "aaaa", "zzzz", "--html", page, "--runs", runs]);
    assert.deepEqual([missing.code, /^Cannot find run "zzzz": .*aaaa/.test(missing.err)], [2, true]);
    await assert.rejects(Deno.stat(page));
  }));

Deno.test("runs compare --html of a run whose run.json is damaged shows it, and says what is lost", () =>
  withRuns(async (runs) => {
    await Deno.writeTextFile(join(runs, RUN_A, "run.json"), '{\n  "format": 1,\n  "id": "x');
    const page = join(runs, "page.html");
    const { code, err } = await inProcess(["runs", "compare", "aaaa", "bbbb", "--html", page, "--runs", runs]);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(await Deno.readTextFile(page), /small-aaaa[^]*Cannot read all of run\.json/);
  }));
