import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readRun } from "../../../data/adapters/read_run.ts";
import { examine } from "../../../workflows/doctor/examine.ts";
import { examineRun } from "../../../workflows/doctor/examine_run.ts";
import { decisiveSeries } from "../../../workflows/doctor/examined.ts";
import { DIAGNOSIS_SCHEMA, jsonReport } from "../../../workflows/doctor/json_report.ts";
import { markdownReport } from "../../../workflows/doctor/markdown_report.ts";
import { doctorPage } from "../../../workflows/doctor/page.ts";
import { terminalReport } from "../../../workflows/doctor/terminal_report.ts";
import { type Story, visualRftLog } from "./visual_rft_log.ts";

const CASE = fileURLToPath(new URL("../../cases/026-agentr1-30-nan-all-clipped/", import.meta.url));
const label = JSON.parse(await Deno.readTextFile(`${CASE}label.json`));
const PLAIN = { style: (text: string) => text, columns: 100 };

Deno.test("examine() names a cause of a real log, with lines that prove it", async () => {
  const [examined] = await examine([`${CASE}log.txt`]);
  const { verdict, findings } = examined!.diagnosis;
  assert.equal(verdict, "faulty");
  assert(JSON.stringify(label).includes(findings[0]!.cause), findings[0]!.cause);
  assert(findings[0]!.evidence.some((row) => row.source?.endsWith("log.txt") && row.line !== null));
});

Deno.test("the reports of a run agree: JSON follows its schema, terminal fits its columns, Markdown is private", async () => {
  const [examined] = await examine([`${CASE}log.txt`]);
  const { cause } = examined!.diagnosis.findings[0]!;
  const json = JSON.parse(JSON.stringify(jsonReport(examined!)));
  assert(DIAGNOSIS_SCHEMA.safeParse(json).success);
  assert.equal(json.findings[0].cause, cause);
  const lines = terminalReport(examined!, PLAIN, false);
  assert(lines.some((line) => line.includes(cause)));
  for (const line of lines.slice(2)) assert(line.length <= 110, line);
  const markdown = markdownReport({ ...examined!, path: "/home/ada/log.txt" }, false);
  assert.match(markdown, new RegExp(cause));
  assert(!markdown.includes("ada"));
});

Deno.test("the reports of a slow death draw what its evidence names: the held-out score that fell as well", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const log = fileURLToPath(new URL("../../slow/s029/log.txt.gz", import.meta.url));
    using file = await Deno.open(log);
    await Deno.writeFile(`${folder}/log.txt`, file.readable.pipeThrough(new DecompressionStream("gzip")));
    const [examined] = await examine([`${folder}/log.txt`]);
    const shown = decisiveSeries(examined!, examined!.diagnosis.findings[0]!).map(({ name }) => name);
    assert.deepEqual(shown, ["reward", "eval_rewards/exact_match/mean"]);
    for (const text of [terminalReport(examined!, PLAIN, false).join("\n"), markdownReport(examined!, false)]) {
      assert.match(text, /^ {2}eval_rewards\/exact_match\/mean .*▆.* {2}0\.1562 → 0$/m);
      assert.match(text, /^ +▲ train step 100$/m);
    }
    assert.match(await doctorPage([examined!], false), /<b>eval_rewards\/exact_match\/mean<\/b>/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** What is named first of files in one folder, or the verdict where nothing is. */
async function named(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_visual_" });
  try {
    for (const [name, text] of Object.entries(files)) Deno.writeTextFileSync(join(folder, name), text);
    const runs = await readRun([folder]);
    assert.equal(runs.length, 1, "one run");
    assert.equal(runs[0]!.system, "visual-rft");
    const { verdict, findings } = examineRun(runs[0]!).diagnosis;
    return findings.find(({ severity }) => severity !== "info")?.cause ?? verdict;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const CAUSES: Readonly<Record<Story, string>> = {
  greedy: "greedy_sampling",
  garbled: "garbled_generation",
  right: "all_correct_saturated",
  other_units: "coordinates_mismatch",
  healthy: "benign",
};

for (const [story, cause] of Object.entries(CAUSES) as [Story, string][]) {
  Deno.test(`Visual-RFT's log of ${story} is ${cause}: console alone, and with debug blocks beside it or within`, async () => {
    for (const seed of [1, 2, 3]) {
      const { console, blocks } = visualRftLog(story, seed);
      assert.equal(await named({ "train.log": console }), cause, `seed ${seed}, console`);
      assert.equal(await named({ "train.log": console, "debug_log.txt": blocks }), cause, `seed ${seed}, both`);
      assert.equal(await named({ "train.log": blocks + console }), cause, `seed ${seed}, one file`);
    }
  });
}

Deno.test("Visual-RFT's debug file alone names what its texts show", async () => {
  for (const story of ["greedy", "garbled", "other_units"] as const) {
    assert.equal(await named({ "debug_log.txt": visualRftLog(story, 4).blocks }), CAUSES[story]);
  }
  assert.equal(await named({ "debug_log.txt": visualRftLog("healthy", 4).blocks }), "insufficient");
});
