import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DIAGNOSIS_SCHEMA } from "../../../workflows/doctor/json_report.ts";
import { RUN_A, withRuns } from "./fabricated_run.ts";
import { inProcess, jsonLines } from "./in_process.ts";

const caseFile = (name: string) => fileURLToPath(new URL(`../../cases/${name}/log.txt`, import.meta.url));
const FAULTY_LONG = caseFile("108-trl-grpo");
const FAULTY = caseFile("026-agentr1-30-nan-all-clipped"), HEALTHY = caseFile("027-verl-2060-healthy-gsm8k");

Deno.test("diagnose counts the GPU hours and the money that were lost, and refuses what is no price", async () => {
  const { out } = await inProcess(["diagnose", FAULTY_LONG, "--json", "--gpus", "8", "--gpu-hour-cost", "2.5EUR"]);
  const { cost, headline, differential } = JSON.parse(out);
  assert.equal(cost.gpu_hours, 8 * cost.hours);
  assert.equal(cost.money, 2.5 * cost.gpu_hours);
  assert.equal(cost.currency, "EUR");
  assert.match(headline, /GPU hours, [\d.]+ EUR\)/);
  assert.equal(differential[0].cause, "old_logprob_nan");
  assert.equal(typeof differential[0].decide.about, "string");
  for (const [option, value] of [["--gpus", "0"], ["--gpus", "many"], ["--gpu-hour-cost", "cheap"]] as const) {
    const { code, err } = await inProcess(["diagnose", FAULTY_LONG, option, value]);
    assert.equal(code, 2);
    assert.match(err, new RegExp(`"${value}"`));
  }
});

Deno.test("diagnose prints one object per path with --json, causes as in its schema", async () => {
  const { code, out } = await inProcess(["diagnose", FAULTY, HEALTHY, "--json"]);
  assert.equal(code, 0);
  const lines = jsonLines(out);
  assert.deepEqual(lines.map(({ verdict }) => verdict), ["faulty", "benign"]);
  for (const line of lines) assert(DIAGNOSIS_SCHEMA.safeParse(line).success);
});

Deno.test("diagnose --fail-on exits 3 for a finding that severe, 0 for a healthy run", async () => {
  assert.equal((await inProcess(["diagnose", FAULTY, "--fail-on", "error"])).code, 3);
  assert.equal((await inProcess(["diagnose", HEALTHY, "--fail-on", "warning"])).code, 0);
});

Deno.test("diagnose --html writes a page and says where; --markdown prints Markdown only", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const page = join(folder, "page.html");
    assert.match((await inProcess(["diagnose", FAULTY, "--html", page])).out, /^Page: .*page\.html$/m);
    assert.match(await Deno.readTextFile(page), /status failed">faulty/);
    assert.match((await inProcess(["diagnose", HEALTHY, "--markdown"])).out, /^### healthy: /);
    await Deno.mkdir(join(folder, ".tmp-page.html")); // As a full disk: what is written first cannot be.
    const { code, err } = await inProcess(["diagnose", HEALTHY, "--html", page]);
    assert.equal(code, 2);
    assert.match(err, /Cannot write \S+page\.html: \d+ bytes/);
    assert.match(await Deno.readTextFile(page), /status failed">faulty/, "the page of before is there");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("diagnose --explain prints the page of a cause or code, and suggests a name", async () => {
  assert.match((await inProcess(["diagnose", "--explain", "greedy_sampling"])).out, /^## greedy_sampling/);
  const { code, err } = await inProcess(["diagnose", "--explain", "gredy_sampling"]);
  assert.notEqual(code, 0);
  assert.match(err, /greedy_sampling/);
});

Deno.test("diagnose without a path, with two forms at once, or with a missing file says what it wants, exit 2", async () => {
  for (
    const [args, message] of [
      [[], /want a file, a folder, a glob or "-"/],
      [[FAULTY, "--json", "--markdown"], /want one of them/],
      [["/nowhere/log.txt"], /\/nowhere\/log\.txt/],
    ] as const
  ) {
    const { code, err } = await inProcess(["diagnose", ...args]);
    assert.match(err, message);
    assert.equal(code, 2, err);
    assert.equal(err.trimEnd().split("\n").length, 1, err);
  }
});

Deno.test("diagnose takes the id of a run of ours, and says which there are", async () => {
  const { code, err } = await inProcess(["diagnose", "20010101-000000-gone"]);
  assert.equal(code, 2);
  assert.match(err, /Cannot find run "20010101-000000-gone"/);
});

Deno.test("diagnose --runs says where runs lie that are called by their ids", () =>
  withRuns(async (runs) => {
    for (const typed of [RUN_A, RUN_A.slice(0, -2), join(runs, RUN_A)]) {
      const { code, out, err } = await inProcess(["diagnose", typed, "--runs", runs, "--json"]);
      assert.equal(code, 0, err);
      assert(JSON.parse(out).path.endsWith(RUN_A), out);
    }
    const missing = await inProcess(["diagnose", "zzzz", "--runs", runs]);
    assert.deepEqual([missing.code, /Cannot find run "zzzz"/.test(missing.err)], [2, true], missing.err);
  }));

Deno.test("diagnose --html overwrites no file that is no page, least of all the log that it reads", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const log = join(folder, "run.jsonl"), text = '{"step": 1, "loss": 0.5}\n';
    await Deno.writeTextFile(log, text);
    const { code, err } = await inProcess(["diagnose", log, "--html", log]);
    assert.equal(code, 2);
    assert.match(err, /a file that is no page of Nonzero lies there; move it away, or want another name/);
    assert.equal(await Deno.readTextFile(log), text);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
