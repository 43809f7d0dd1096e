/** The two ways in which Visual-RFT stays at loss 0, in its own print, with and without its debug blocks; and look-alikes. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { readRun } from "../../../data/adapters/read_run.ts";
import { examineRun } from "../../../workflows/doctor/examine.ts";
import { type Story, visualRftLog } from "./visual_rft_log.ts";

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
