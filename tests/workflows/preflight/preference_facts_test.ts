/** Preferences of files are read as load_preferences would; those of tasks and large files are left to the run. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { factsOf } from "../../../workflows/preflight/facts.ts";
import { smallPlan, withFiles } from "./small_plans.ts";

Deno.test("readPreferences() says what is wrong with a file, and leaves tasks and large files to the run", () =>
  withFiles(async (folder) => {
    const of = async (preferences: Record<string, unknown>) =>
      (await factsOf(smallPlan({ preferences }, folder), null)).preferences.map(({ problem }) => problem);
    assert.deepEqual(await of({ file: "pairs.jsonl" }), [null]);
    assert.match((await of({ file: "none.jsonl" }))[0]!, /none\.jsonl/);
    assert.deepEqual(await of({ task: "addition", digits: 1 }), []);
    await Deno.writeTextFile(join(folder, "large.jsonl"), "");
    await Deno.truncate(join(folder, "large.jsonl"), 200e6); // sparse: takes no room
    assert.deepEqual(await of({ file: "large.jsonl" }), []);
  }));
